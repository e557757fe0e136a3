import { type AnswerChanged, type ThreadEventType, type ThreadUpdated, threadChannel } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { recordRunChanges, toJsonb } from '@lensforge/database';

/** An event before it has its sequence number. Events of messages name the message, whose present state readers get. */
export type NewThreadEvent =
  | { type: Extract<ThreadEventType, `message.${string}`>; messageId: string }
  | { type: 'thread.updated'; payload: ThreadUpdated }
  | { type: 'answer.changed'; payload: AnswerChanged };

/**
 * Appends events in the transaction of the change that they describe. The thread must be locked there, so that the order of
 * sequence numbers is that of commits.
 */
export async function appendThreadEvents(
  ctx: Context,
  threadId: string,
  events: readonly NewThreadEvent[],
): Promise<void> {
  const [{ lastSequence }] = await ctx.db.query<[{ lastSequence: number }]>(
    `with moved as (
       update threads set last_sequence = last_sequence + jsonb_array_length($2::jsonb) where id = $1 returning last_sequence
     ), appended as (
       insert into thread_events (thread_id, sequence, type, message_id, payload, occurred_at)
       select $1, m.last_sequence - jsonb_array_length($2::jsonb) + e.n, e.event ->> 'type', (e.event ->> 'messageId')::uuid,
              coalesce(e.event -> 'payload', '{}'), clock_timestamp()
         from moved m, jsonb_array_elements($2::jsonb) with ordinality as e (event, n)
     )
     select last_sequence as "lastSequence" from moved`,
    [threadId, toJsonb(events)],
  );
  recordRunChanges(ctx, { positions: [{ channel: threadChannel(threadId), lastSequence }] });
}
