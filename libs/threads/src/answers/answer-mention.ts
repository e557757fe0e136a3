import { countAgentRun, recordAgentEvent, recordAgentRun } from '@lensforge/agents';
import type { RunCause } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inNestedTransaction, inTransaction } from '@lensforge/database';
import { acceptPromptRun } from '@lensforge/runs';
import { type AnswerRights, answerRights, answerTool } from './answer-rights.js';
import { type AnswerTask, answerTask } from './answer-task.js';
import { type MentionRef, lockedMention } from './locked-mention.js';
import { moveAnswer } from './move-answer.js';

/** The largest number of tokens of an answer. */
const maxOutputTokens = 4000;

export interface AnswerOptions {
  /** The time limit of the run. */
  timeoutMs: number;
  /** Makes the prompt of the run; the messages in it are untrusted. */
  promptOf: (task: AnswerTask) => string;
}

/** Starts the run that answers a mention, or records why there is none; a repeated call has no further effect. */
export function answerMention(ctx: Context, mention: MentionRef, options: AnswerOptions): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const locked = await lockedMention(ctx, mention);
    if (locked?.status !== 'waiting') return;
    const { threadId, authorId } = locked;
    const ref = { ...mention, threadId };
    const rights = locked.isOpen ? await answerRights(ctx, { ...ref, authorId }) : 'The message or thread is closed';
    if (typeof rights === 'string') return moveAnswer(ctx, ref, { status: 'declined', reason: rights });
    const outcome = await startRun(ctx, { ...options, ...ref, ...rights });
    await moveAnswer(
      ctx,
      ref,
      'runId' in outcome ? { status: 'running', ...outcome } : { status: 'declined', ...outcome },
    );
  });
}

type RunOrder = AnswerOptions & AnswerRights & MentionRef & { threadId: string };

/** A refusal, such as for want of credits, is the end of the answer; a failure is repeated. */
async function startRun(ctx: Context, order: RunOrder): Promise<{ runId: string } | { reason: string }> {
  const { agent, owner, messageId, threadId, timeoutMs, promptOf } = order;
  const { id: agentId } = agent;
  const prompt = promptOf(await answerTask(ctx, { agent, threadId, messageId }));
  try {
    const { runId } = await inNestedTransaction(ctx, async (ctx) => {
      await countAgentRun(ctx, agent, 'action');
      const run = await acceptPromptRun(
        { ...owner, db: ctx.db },
        {
          prompt,
          modelKey: agent.aiModelKey ?? undefined,
          timeoutMs,
          sampling: { maxOutputTokens },
          cause: { kind: 'thread', threadId, messageId, agentId } satisfies RunCause,
          idempotencyKey: `thread:${messageId}:${agentId}`,
        },
      );
      await recordDecision(ctx, agentId, { verdict: 'allow', runId: run.runId });
      await recordAgentRun(ctx, { runId: run.runId, agentId, kind: 'action' });
      return run;
    });
    return { runId };
  } catch (reason) {
    if (!(reason instanceof DomainError) || ['UNAVAILABLE', 'INTERNAL'].includes(reason.code)) throw reason;
    const { code, message, details } = reason;
    const cap = details?.['limitOf'] === 'agent' ? 'credits_per_day' : details?.['reason'];
    const why = typeof cap === 'string' ? cap : code.toLowerCase();
    await recordDecision(ctx, agentId, { verdict: 'deny', reason: why });
    return { reason: message };
  }
}

type Decision = { verdict: 'allow'; runId: string } | { verdict: 'deny'; reason: string };

async function recordDecision(ctx: Context, agentId: string, decision: Decision): Promise<void> {
  const { runId, ...payload } = { runId: undefined, ...decision };
  await recordAgentEvent(ctx, { agentId, runId, type: 'tool.decided', payload: { toolId: answerTool, ...payload } });
}
