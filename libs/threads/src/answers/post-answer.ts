import { type RunStatus, isTerminal, maxMessageLength } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readOutputText } from '@lensforge/runs';
import type { StoredThread } from '../access.js';
import { maxMessages, writeMessage } from '../messages/write-message.js';
import { mayStillAnswer } from './answer-rights.js';
import { lockedMention } from './locked-mention.js';
import { moveAnswer } from './move-answer.js';

interface Answer {
  messageId: string;
  agentId: string;
  runStatus: RunStatus;
  errorMessage: string | null;
}

/** Posts the output of a run as the answer of its AI lenser; a repeated call has no further effect. */
export function postAnswer(ctx: Context, runId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const [answer] = await ctx.db.query<Answer[]>(
      `select a.message_id as "messageId", a.agent_account_id as "agentId", r.status as "runStatus",
              r.error_message as "errorMessage"
         from thread_answers a join runs r on r.id = a.run_id where a.run_id = $1`,
      [runId],
    );
    if (!answer || !isTerminal(answer.runStatus)) return;
    const { messageId, agentId, runStatus, errorMessage } = answer;
    const mention = await lockedMention(ctx, answer);
    if (mention?.status !== 'running') return;
    const { threadId, parentId, isOpen } = mention;
    const ref = { threadId, messageId, agentId };
    const text = runStatus === 'succeeded' ? fitted((await readOutputText(ctx, runId)) ?? '') : '';
    if (text === '') {
      const reason = errorMessage ?? (runStatus === 'succeeded' ? 'The output is empty' : `The run is ${runStatus}`);
      return moveAnswer(ctx, ref, { status: 'failed', reason });
    }
    const thread = await openThread(ctx, threadId);
    if (!thread || !isOpen || !(await mayStillAnswer(ctx, ref))) {
      const reason = 'The message or thread was closed, or is out of reach by now';
      return moveAnswer(ctx, ref, { status: 'declined', reason });
    }
    const answerMessageId = await writeMessage(ctx, thread, {
      authorId: agentId,
      text,
      parentId: parentId ?? messageId,
      mentions: [],
    });
    await moveAnswer(ctx, ref, { status: 'answered', answerMessageId });
  });
}

/** The thread, unless it is full. */
async function openThread({ db }: Context, threadId: string): Promise<Pick<StoredThread, 'id'> | undefined> {
  const [thread] = await db.query<Pick<StoredThread, 'id'>[]>(
    'select id from threads where id = $1 and message_count < $2',
    [threadId, maxMessages],
  );
  return thread;
}

/** A text that fits in a message; the end of a longer one is cut. */
function fitted(text: string): string {
  const characters = [...text.trim()];
  if (characters.length <= maxMessageLength) return characters.join('');
  return `${characters.slice(0, maxMessageLength - 2).join('')}\n…`;
}
