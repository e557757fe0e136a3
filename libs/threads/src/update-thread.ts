import { recordAudit } from '@lensforge/audit';
import type { Thread, ThreadPatch } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type ReadableThread, moderatedThread, moderatesSubject } from './access.js';
import { auditedAccount } from './audited-account.js';
import { appendThreadEvents } from './events/append-thread-events.js';
import { threadView } from './read-thread.js';

export type ThreadChange = ThreadPatch & { threadId: string };

/** Renames, closes or reopens a thread as a moderator. A patch that changes nothing has no effect. */
export function updateThread(ctx: Context, { threadId, title, status }: ThreadChange): Promise<Thread> {
  return inTransaction(ctx, async (ctx) => {
    const found = await moderatedThread(ctx, threadId);
    const { thread } = found;
    const was = thread.closedAt === null ? 'open' : 'closed';
    const next = { title: title?.trim() ?? thread.title, status: status ?? was };
    if (next.title === thread.title && next.status === was) return threadView(ctx, thread.id);
    if (was === 'closed' && next.status === 'open') await requireReopener(ctx, found);
    await ctx.db.query(
      `update threads set title = $2, closed_at = case when $3 then coalesce(closed_at, $4) end,
                          closed_by = case when $3 then coalesce(closed_by, $5) end where id = $1`,
      [thread.id, next.title, next.status === 'closed', ctx.now(), ctx.actor.accountId],
    );
    await appendThreadEvents(ctx, thread.id, [{ type: 'thread.updated', payload: next }]);
    if (next.status !== was) {
      await recordAudit(ctx, {
        accountId: auditedAccount(found),
        action: next.status === 'closed' ? 'thread.closed' : 'thread.reopened',
        target: { kind: 'thread', id: thread.id },
      });
    }
    return threadView(ctx, thread.id);
  });
}

/** The owner of a thread cannot undo the closing by those who moderate because of its subject. */
async function requireReopener(ctx: Context, { thread, subject }: ReadableThread): Promise<void> {
  if (thread.closedBy === ctx.actor.accountId || subject === null || (await moderatesSubject(ctx, subject))) return;
  throw new DomainError('FORBIDDEN', 'A moderator has closed this thread, and only a moderator can reopen it');
}
