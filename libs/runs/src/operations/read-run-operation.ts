import type { RunOperationState } from '@lensforge/contracts';
import { type Context, notFound } from '@lensforge/core';

export const operationState = `
  o.id, o.action, o.status, o.filter, jsonb_build_object('matched', o.matched, 'done', o.done, 'failed', o.failed) as progress,
  case when o.error_code is not null then jsonb_build_object('code', o.error_code, 'message', o.error_message) end as error,
  iso(o.created_at) as "createdAt", iso(o.started_at) as "startedAt", iso(o.completed_at) as "completedAt"`;

export async function readRunOperation(ctx: Context, operationId: string): Promise<RunOperationState> {
  const [operation] = await ctx.db.query<RunOperationState[]>(
    `select ${operationState} from run_operations o where o.id = $1 and o.account_id = $2`,
    [operationId, ctx.actor.accountId],
  );
  if (!operation) throw notFound('operation', operationId);
  return operation;
}
