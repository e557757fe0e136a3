import { recordAudit } from '@lensforge/audit';
import type { Unmuted } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { moderatedThread } from '../access.js';
import { auditedAccount } from '../audited-account.js';
import type { MuteRef } from './mute-member.js';

/** Ends the mute of an account, as a moderator. Without a mute the call has no effect. */
export function unmuteMember(ctx: Context, { threadId, accountId: given }: MuteRef): Promise<Unmuted> {
  return inTransaction(ctx, async (ctx) => {
    const found = await moderatedThread(ctx, threadId);
    const { thread } = found;
    const accountId = given.toLowerCase();
    const [, ended] = await ctx.db.query<[unknown, number]>(
      'delete from thread_mutes where thread_id = $1 and account_id = $2',
      [thread.id, accountId],
    );
    if (ended > 0) {
      await recordAudit(ctx, {
        accountId: auditedAccount(found),
        action: 'thread.member_unmuted',
        target: { kind: 'thread', id: thread.id },
        details: { accountId },
      });
    }
    return { threadId: thread.id, accountId, muted: false };
  });
}
