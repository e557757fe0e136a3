import { jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { enqueue } from '@lensforge/database';

export interface AnswerRequest {
  threadId: string;
  messageId: string;
  agentIds: readonly string[];
}

/** Requests an answer from each mentioned AI lenser, once for each message, in the transaction that posts the message. */
export async function requestAnswers(ctx: Context, { threadId, messageId, agentIds }: AnswerRequest): Promise<void> {
  for (const agentId of agentIds) {
    await ctx.db.query(
      `insert into thread_answers (message_id, agent_account_id, thread_id, status, created_at)
       values ($1, $2, $3, 'waiting', $4)`,
      [messageId, agentId, threadId, ctx.now()],
    );
    const outboxId = newId();
    await enqueue(
      ctx,
      jobs.answerMention,
      { messageId, agentId, outboxId },
      { jobId: `${outboxId}-g0`, publishNow: true, outboxId },
    );
  }
}
