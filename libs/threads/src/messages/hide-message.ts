import { recordAudit } from '@lensforge/audit';
import type { Message } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { moderatedThread } from '../access.js';
import { auditedAccount } from '../audited-account.js';
import { appendThreadEvents } from '../events/append-thread-events.js';
import type { MessageRef } from './delete-message.js';
import { messageIn, messageView } from './message-rows.js';

/** Hides a message or shows it again, as a moderator. A repeated call has no effect. */
export function hideMessage(
  ctx: Context,
  { threadId, messageId, hidden }: MessageRef & { hidden: boolean },
): Promise<Message> {
  return inTransaction(ctx, async (ctx) => {
    const found = await moderatedThread(ctx, threadId);
    const { thread } = found;
    const { id, status } = await messageIn(ctx, thread.id, messageId);
    if (status === 'deleted') throw new DomainError('CONFLICT', 'The message is deleted', { status });
    if (hidden !== (status === 'hidden')) {
      await ctx.db.query('update thread_messages set hidden_at = $2 where id = $1', [id, hidden ? ctx.now() : null]);
      await appendThreadEvents(ctx, thread.id, [{ type: hidden ? 'message.hidden' : 'message.shown', messageId: id }]);
      await recordAudit(ctx, {
        accountId: auditedAccount(found),
        action: hidden ? 'thread.message_hidden' : 'thread.message_shown',
        target: { kind: 'thread', id: thread.id },
        details: { messageId: id },
      });
    }
    return messageView(await messageIn(ctx, thread.id, id), { accountId: ctx.actor.accountId, moderates: true });
  });
}
