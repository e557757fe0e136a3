import { lenser } from '../messages/message-rows.js';

/** SQL query for the mutes `m` of a thread; a condition follows. */
export const mutesWhere = `
  select ${lenser('a')} as account, m.muted_by as "mutedBy", iso(m.created_at) as "createdAt"
    from thread_mutes m join accounts a on a.id = m.account_id where `;
