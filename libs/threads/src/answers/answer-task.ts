import type { Context } from '@lensforge/core';
import type { OwnAiLenser } from '@lensforge/identity';

/** The number of messages before the mention that the AI lenser gets. */
const maxMessagesBefore = 20;

export interface TaskMessage {
  handle: string;
  text: string;
}

/** The input for the answer to a mention. Texts of messages and the title come from any caller. */
export interface AnswerTask {
  handle: string;
  instructions: string;
  title: string;
  /** Earlier messages, the oldest first. */
  before: TaskMessage[];
  mention: TaskMessage;
  /** Differs for each mention. */
  seed: string;
}

/** Reads a mention with the visible messages before it: for a reply the message that it replies to and its other replies. */
export async function answerTask(
  { db }: Context,
  { agent, threadId, messageId }: { agent: OwnAiLenser; threadId: string; messageId: string },
): Promise<AnswerTask> {
  const rows = await db.query<[TaskMessage & { title: string }, ...TaskMessage[]]>(
    `with mention as (select * from thread_messages where id = $1)
     select a.handle, m.text, t.title
       from mention, lateral (
              select * from thread_messages o
               where o.thread_id = $2 and o.position <= mention.position and o.deleted_at is null and o.hidden_at is null
                 and (mention.parent_id is null or o.id = mention.parent_id or o.parent_id = mention.parent_id)
               order by o.position desc limit $3) m
       join accounts a on a.id = m.author_account_id join threads t on t.id = m.thread_id
      order by m.position desc`,
    [messageId, threadId, maxMessagesBefore + 1],
  );
  const [{ title, ...mention }, ...before] = rows;
  const { id, handle, instructions } = agent;
  return { handle, instructions, title, before: before.reverse(), mention, seed: `${messageId}:${id}` };
}
