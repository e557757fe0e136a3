import { authorityMember } from '@lensforge/database';

/** SQL columns of an incoming webhook; `w` is its row. */
export const incomingSummary = `
  w.id, w.account_id as "accountId", w.workflow_id as "workflowId", w.name, '/v1/webhooks/' || w.id as path,
  w.disabled_at is null as enabled,
  case when w.previous_until > now() then iso(w.previous_until) end as "previousSecretUntil",
  ${authorityMember('w')},
  iso(w.created_at) as "createdAt", iso(w.updated_at) as "updatedAt"`;
