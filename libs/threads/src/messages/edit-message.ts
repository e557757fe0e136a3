import type { Message, MessagePatch } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { lockedThread, requireWriter } from '../access.js';
import { appendThreadEvents } from '../events/append-thread-events.js';
import { mentionedIn } from './mentions.js';
import { type MessageRow, messageIn, ownMessage } from './message-rows.js';

/** The time during which its author can edit a message. */
export const editableMs = 15 * 60_000;

/** The largest number of texts of a message. */
export const maxVersions = 50;

export type MessageEdit = MessagePatch & { threadId: string; messageId: string };

/** Replaces the text of a message of the caller and stores the earlier one. The same text again has no effect. */
export function editMessage(ctx: Context, { threadId, messageId, text, version }: MessageEdit): Promise<Message> {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockedThread(ctx, threadId);
    const { thread } = found;
    const message = await messageIn(ctx, thread.id, messageId);
    if (message.author.id !== ctx.actor.accountId) {
      throw new DomainError('FORBIDDEN', 'Only its author can edit a message');
    }
    await requireWriter(ctx, found);
    requireEditable(ctx, message, version);
    if (message.text === text) return ownMessage(ctx, thread.id, message.id);
    const mentioned = await mentionedIn(ctx, text);
    await ctx.db.query(
      `with earlier as (
         insert into thread_message_versions (message_id, version, text, written_at)
         select id, version, text, coalesce(edited_at, created_at) from thread_messages where id = $1
       )
       update thread_messages set text = $2, version = version + 1, mentions = $3, edited_at = $4 where id = $1`,
      [message.id, text, mentioned.map(({ id }) => id), ctx.now()],
    );
    await appendThreadEvents(ctx, thread.id, [{ type: 'message.edited', messageId: message.id }]);
    return ownMessage(ctx, thread.id, message.id);
  });
}

function requireEditable(ctx: Context, { status, version, createdAt }: MessageRow, expected: number | undefined): void {
  if (status !== 'visible') throw new DomainError('CONFLICT', `The message is ${status}`, { status });
  if (ctx.now().getTime() - Date.parse(createdAt) > editableMs) {
    throw new DomainError('CONFLICT', 'A message can be edited for 15 minutes; post another one');
  }
  if (expected !== undefined && expected !== version) {
    throw new DomainError('CONFLICT', `The message has version ${version} by now, not ${expected}: read it again`);
  }
  if (version < maxVersions) return;
  throw new DomainError('CONFLICT', `A message can have ${maxVersions} texts; post another one`);
}
