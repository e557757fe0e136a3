import type { Message } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { lockedThread } from '../access.js';
import { appendThreadEvents } from '../events/append-thread-events.js';
import { messageIn, ownMessage } from './message-rows.js';

export interface MessageRef {
  threadId: string;
  messageId: string;
}

/**
 * Deletes the text of a message of the caller, or of an AI lenser of the caller, with its earlier texts. The message keeps its
 * place and its replies. A repeated call has no effect.
 */
export function deleteMessage(ctx: Context, { threadId, messageId }: MessageRef): Promise<Message> {
  return inTransaction(ctx, async (ctx) => {
    const { thread } = await lockedThread(ctx, threadId);
    const { id, author, authorOwnerId, status } = await messageIn(ctx, thread.id, messageId);
    const { accountId } = ctx.actor;
    if (author.id !== accountId && authorOwnerId !== accountId) {
      throw new DomainError('FORBIDDEN', 'Only its author can delete a message; a moderator can hide it');
    }
    if (status !== 'deleted') {
      await ctx.db.query('delete from thread_message_versions where message_id = $1', [id]);
      await ctx.db.query(`update thread_messages set text = '', mentions = '{}', deleted_at = $2 where id = $1`, [
        id,
        ctx.now(),
      ]);
      await appendThreadEvents(ctx, thread.id, [{ type: 'message.deleted', messageId: id }]);
    }
    return ownMessage(ctx, thread.id, id);
  });
}
