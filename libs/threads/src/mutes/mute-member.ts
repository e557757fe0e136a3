import { recordAudit } from '@lensforge/audit';
import type { Mute } from '@lensforge/contracts';
import { type Context, DomainError, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type ReadableThread, moderatedThread } from '../access.js';
import { auditedAccount } from '../audited-account.js';
import { mutesWhere } from './mute-rows.js';

export interface MuteRef {
  threadId: string;
  accountId: string;
}

/** The largest number of muted accounts of a thread. */
export const maxMutes = 1000;

/** Mutes an account and its AI lensers in a thread, as a moderator. A repeated call has no effect. */
export function muteMember(ctx: Context, { threadId, accountId: given }: MuteRef): Promise<Mute> {
  return inTransaction(ctx, async (ctx) => {
    const found = await moderatedThread(ctx, threadId);
    const { thread } = found;
    const accountId = given.toLowerCase();
    await requireMutable(ctx, found, accountId);
    const added = await ctx.db.query<unknown[]>(
      `insert into thread_mutes (thread_id, account_id, muted_by, created_at) values ($1, $2, $3, $4)
       on conflict do nothing returning account_id`,
      [thread.id, accountId, ctx.actor.accountId, ctx.now()],
    );
    const [mute] = await ctx.db.query<[Mute]>(`${mutesWhere} m.thread_id = $1 and m.account_id = $2`, [
      thread.id,
      accountId,
    ]);
    if (added.length > 0) {
      await recordAudit(ctx, {
        accountId: auditedAccount(found),
        action: 'thread.member_muted',
        target: { kind: 'thread', id: thread.id },
        details: { accountId },
      });
    }
    return mute;
  });
}

/** Refuses unknown accounts and those that moderate the thread. */
async function requireMutable(ctx: Context, { thread, subject }: ReadableThread, accountId: string): Promise<void> {
  const [account] = await ctx.db.query<{ isModerator: boolean; mutes: number }[]>(
    `select exists (select from memberships m where m.community_id = any ($2) and m.account_id = a.id and m.role <> 'member')
            as "isModerator",
            (select count(*)::int from thread_mutes t where t.thread_id = $3) as mutes
       from accounts a where a.id = $1`,
    [accountId, [thread.accountId, subject?.ownerId ?? thread.accountId], thread.id],
  );
  if (!account) throw notFound('account', accountId);
  if (account.isModerator || accountId === thread.accountId || accountId === subject?.ownerId) {
    throw new DomainError('CONFLICT', 'An account that moderates the thread cannot be muted');
  }
  if (account.mutes < maxMutes) return;
  throw new DomainError('CONFLICT', `A thread has at most ${maxMutes} muted accounts`);
}
