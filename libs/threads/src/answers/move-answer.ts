import type { AnswerStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { appendThreadEvents } from '../events/append-thread-events.js';

export interface AnswerRef {
  threadId: string;
  messageId: string;
  agentId: string;
}

export interface AnswerChange {
  status: Exclude<AnswerStatus, 'waiting'>;
  runId?: string;
  answerMessageId?: string;
  reason?: string;
}

/** Changes the status of an answer in a locked thread. */
export async function moveAnswer(
  ctx: Context,
  { threadId, messageId, agentId }: AnswerRef,
  { status, runId, answerMessageId, reason }: AnswerChange,
): Promise<void> {
  await ctx.db.query(
    `update thread_answers set status = $3, run_id = coalesce($4, run_id), answer_message_id = $5, reason = $6,
                               started_at = coalesce(started_at, case when $4::uuid is not null then $7::timestamptz end)
      where message_id = $1 and agent_account_id = $2`,
    [messageId, agentId, status, runId ?? null, answerMessageId ?? null, reason ?? null, ctx.now()],
  );
  await appendThreadEvents(ctx, threadId, [{ type: 'answer.changed', payload: { messageId, agentId, status } }]);
}
