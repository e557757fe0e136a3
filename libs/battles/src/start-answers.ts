import type { AiLenser, RunCause, StartedAnswer } from '@lensforge/contracts';
import { type Context, DomainError, platformActor } from '@lensforge/core';
import { readableAiLenser } from '@lensforge/identity';
import { type AcceptedRun, acceptLensRun, acceptPromptRun, acceptWorkflowRun } from '@lensforge/runs';
import { asCreator } from './as-creator.js';
import type { StoredBattle } from './battle.entity.js';
import { StoredContender } from './contender.entity.js';
import { estimateJudging } from './judging/plan-judging.js';

export interface AnswersOrder {
  /** With its funding. */
  battle: StoredBattle;
  /** The AI contenders without an answer. */
  contenders: readonly StoredContender[];
  timeoutMs: number;
}

/**
 * Starts a run for each contender. A run that only its contender prevents, such as by an archived lens, is an answer error
 * of the contender. All holds and the judging must fit in the budget of the battle, which workflow runs share evenly.
 */
export async function startAnswers(ctx: Context, order: AnswersOrder): Promise<StartedAnswer[]> {
  const { battle, contenders } = order;
  const workflows = contenders.filter(({ workflowId }) => workflowId !== null);
  const others = contenders.filter(({ workflowId }) => workflowId === null);
  const started: StartedAnswer[] = [];
  const start = async (contender: StoredContender, budgetCredits?: number): Promise<void> => {
    const runId = await startAnswer(ctx, order, { contender, budgetCredits });
    if (runId !== undefined) started.push({ contenderId: contender.id, runId });
  };
  for (const contender of others) await start(contender);
  const left = await creditsLeft(ctx, battle, started);
  const share = left === undefined ? undefined : Math.floor(left / Math.max(workflows.length, 1));
  for (const contender of workflows) await start(contender, share);
  return started;
}

/** The credits of the budget that no hold needs; undefined without a budget. */
async function creditsLeft(
  ctx: Context,
  battle: StoredBattle,
  started: readonly StartedAnswer[],
): Promise<number | undefined> {
  const { budgetCredits } = battle;
  if (budgetCredits === null) return undefined;
  const [{ held }] = await ctx.db.query<[{ held: number }]>(
    'select coalesce(sum(credit_hold), 0)::float8 as held from runs where id = any ($1)',
    [started.map(({ runId }) => runId)],
  );
  const [needed, limit] = [held + (await estimateJudging(ctx, battle)), Number(budgetCredits)];
  if (needed <= limit) return limit - needed;
  throw new DomainError(
    'INSUFFICIENT_CREDITS',
    `The answers and the judging may cost ${needed} credits; budgetCredits of the battle allows ${limit}`,
    { limitOf: 'battle', needed, limit },
  );
}

interface Answer {
  contender: StoredContender;
  budgetCredits: number | undefined;
}

/** Starts the run of a contender and returns its id; undefined when the contender itself prevents it. */
async function startAnswer(ctx: Context, order: AnswersOrder, answer: Answer): Promise<string | undefined> {
  const { id } = answer.contender;
  try {
    const { runId } = await acceptAnswer(ctx, order, answer);
    await ctx.db.update(StoredContender, { id }, { answerRunId: runId, answerError: null });
    return runId;
  } catch (reason) {
    if (!(reason instanceof DomainError) || !isFaultOfContender(reason)) throw reason;
    await ctx.db.update(StoredContender, { id }, { answerError: reason.message });
    return undefined;
  }
}

const faultsOfContenders: readonly string[] = ['NOT_FOUND', 'CONFLICT', 'MISSING_PARAMS', 'UNPROCESSABLE_PARAMS'];

/** True for a lens, workflow, model or AI lenser that cannot be used; false for what concerns all runs of the battle. */
function isFaultOfContender({ code, details }: DomainError): boolean {
  if (faultsOfContenders.includes(code)) return true;
  const issues = (details?.['issues'] ?? []) as readonly { path: string }[];
  return code === 'BAD_INPUT' && issues.some(({ path }) => path === 'modelOverride' || path.startsWith('params.'));
}

async function acceptAnswer(
  ctx: Context,
  { battle, timeoutMs }: AnswersOrder,
  { contender, budgetCredits }: Answer,
): Promise<AcceptedRun> {
  const { id: battleId, taskPrompt, fundingSource, byokKeyId } = battle;
  const { id: contenderId, lensId, workflowId } = contender;
  const creator = asCreator(ctx, battle);
  const run = {
    timeoutMs,
    cause: { kind: 'battle', battleId, contenderId } satisfies RunCause,
    idempotencyKey: `battle:${battleId}:${contenderId}`,
    ...(fundingSource && { fundingSource }),
    ...(byokKeyId && { byokKeyRefId: byokKeyId }),
  };
  const input = { task_prompt: taskPrompt };
  // A workflow names its own models. The lenses of a battle all have the default model.
  if (workflowId !== null) return acceptWorkflowRun(creator, { ...run, workflowId, inputs: input, budgetCredits });
  if (lensId !== null) return acceptLensRun(creator, { ...run, lensId, params: input, hasOneModel: true });
  const lenser = await activeLenser(ctx, contender.lenserAccountId);
  return acceptPromptRun(creator, {
    ...run,
    prompt: taskPrompt,
    // The worker adds the instructions, so that the run, which belongs to the creator, does not have them.
    ...(contender.contenderType === 'ai_agent' && { instructedBy: lenser.id }),
    modelKey: lenser.aiModelKey ?? undefined,
  });
}

/** The AI lenser with its instructions, which the platform may read for all of them. */
async function activeLenser(ctx: Context, id: string): Promise<AiLenser> {
  const lenser = await readableAiLenser({ ...ctx, actor: platformActor }, id);
  if (lenser.status === 'active') return lenser;
  throw new DomainError('CONFLICT', `The AI lenser ${lenser.handle} is archived`);
}
