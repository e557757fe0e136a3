import type { ThreadEvent } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { readableThread } from '../access.js';
import { messageView, messagesByIds, noViewer } from '../messages/message-rows.js';

export interface ThreadLog {
  id: string;
  lastSequence: number;
  /** The status with which the stream ends; null while it goes on. */
  endedAs: 'closed' | null;
}

/** The event log of a thread that the caller may see. */
export async function readableThreadLog(ctx: Context, threadId: string): Promise<ThreadLog> {
  const { id, lastSequence, closedAt } = (await readableThread(ctx, threadId)).thread;
  return { id, lastSequence, endedAs: closedAt === null ? null : 'closed' };
}

/** False once the caller may no longer see the thread. */
export async function canFollowThread(ctx: Context, threadId: string): Promise<boolean> {
  try {
    await readableThread(ctx, threadId);
    return true;
  } catch (reason) {
    if (reason instanceof DomainError) return false;
    throw reason;
  }
}

type StoredEvent = ThreadEvent & { messageId: string | null };

const eventsAfter = preparedStatement(`
select thread_id as "threadId", sequence, type as "eventType", message_id as "messageId", payload,
       iso(occurred_at) as "occurredAt"
  from thread_events where thread_id = $1 and sequence > $2 order by sequence limit $3`);

/**
 * Returns events of a thread after a sequence number, in order. A message is as it is now, so that no event repeats a text that
 * was deleted or hidden since.
 */
export async function readThreadEvents(
  ctx: Context,
  threadId: string,
  after: number,
  limit: number,
): Promise<ThreadEvent[]> {
  const events = await ctx.db.query<StoredEvent[]>(eventsAfter, [threadId, after, limit]);
  const messages = await messagesByIds(
    ctx,
    events.flatMap(({ messageId }) => messageId ?? []),
  );
  return events.map(({ messageId, ...event }) => {
    const message = messageId === null ? undefined : messages.get(messageId);
    return message ? { ...event, payload: { message: messageView(message, noViewer) } } : event;
  });
}

/** Returns the last sequence numbers of several threads in one statement. */
export const readThreadPositions = (
  ctx: Context,
  threadIds: readonly string[],
): Promise<{ id: string; lastSequence: number }[]> =>
  ctx.db.query('select id, last_sequence as "lastSequence" from threads where id = any($1)', [threadIds]);
