import type { AnswerStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';

export interface MentionRef {
  messageId: string;
  agentId: string;
}

export interface LockedMention {
  threadId: string;
  status: AnswerStatus;
  /** The author of the message. */
  authorId: string;
  parentId: string | null;
  /** True while the thread is open and the message is neither hidden nor deleted. */
  isOpen: boolean;
}

/** A mention with its thread locked until the transaction ends; undefined if there is none. */
export async function lockedMention(
  { db }: Context,
  { messageId, agentId }: MentionRef,
): Promise<LockedMention | undefined> {
  await db.query(
    'select from threads where id = (select thread_id from thread_messages where id = $1) for no key update',
    [messageId],
  );
  const [found] = await db.query<LockedMention[]>(
    `select a.thread_id as "threadId", a.status, m.author_account_id as "authorId", m.parent_id as "parentId",
            t.closed_at is null and m.deleted_at is null and m.hidden_at is null as "isOpen"
       from thread_answers a join thread_messages m on m.id = a.message_id join threads t on t.id = a.thread_id
      where a.message_id = $1 and a.agent_account_id = $2`,
    [messageId, agentId],
  );
  return found;
}
