import { type Context, DomainError, newId } from '@lensforge/core';
import type { StoredThread } from '../access.js';
import { appendThreadEvents } from '../events/append-thread-events.js';

/** The largest number of messages of a thread, with hidden and deleted ones. */
export const maxMessages = 10_000;

export interface NewMessage {
  authorId: string;
  text: string;
  parentId: string | null;
  mentions: readonly string[];
}

/** Appends a message to a locked thread and returns its id. */
export async function writeMessage(
  ctx: Context,
  { id: threadId }: Pick<StoredThread, 'id'>,
  message: NewMessage,
): Promise<string> {
  const { authorId, text, parentId, mentions } = message;
  const [[moved]] = await ctx.db.query<[{ position: number }[], number]>(
    `update threads set message_count = message_count + 1, last_message_at = $2
      where id = $1 and message_count < $3 returning message_count as position`,
    [threadId, ctx.now(), maxMessages],
  );
  if (!moved) throw new DomainError('CONFLICT', `A thread has at most ${maxMessages} messages; create another one`);
  const id = newId();
  await ctx.db.query(
    `insert into thread_messages (id, thread_id, position, parent_id, author_account_id, text, mentions, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, threadId, moved.position, parentId, authorId, text, mentions, ctx.now()],
  );
  await appendThreadEvents(ctx, threadId, [{ type: 'message.posted', messageId: id }]);
  return id;
}
