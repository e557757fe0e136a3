import { type RetryFrom, type RunKind, causesKeptByRetry, isTerminal } from '@lensforge/contracts';
import { type Context, DomainError, badInput, isServiceRole } from '@lensforge/core';
import { type AcceptedRun, acceptLensRun } from './accept-lens-run.js';
import { acceptJudgingRun } from './accept-judging-run.js';
import { conversationIn, embeddedTextsIn } from '../prompt-params.js';
import { acceptEmbeddingRun } from './accept-embedding-run.js';
import { acceptPromptRun } from './accept-prompt-run.js';
import { acceptWorkflowRun } from './accept-workflow-run.js';
import { writableRun } from '../access.js';
import { toRequestedConcurrency } from '../admit/concurrency-keys.js';
import { type CountRun, requireRunRate } from './count-run.js';
import { Run } from '../run.entity.js';

export interface RetryOrder {
  runId: string;
  idempotencyKey?: string | undefined;
  /** The nodes of a workflow to repeat; other runs have one node. */
  from?: RetryFrom | undefined;
  /** Another version of the workflow, by its number, id or label. */
  version?: string | undefined;
  /** A node of a workflow that runs again, with all after it; the results of the others are kept. */
  fromNode?: string | undefined;
  /** Counts the new run in its rate class; absent when the caller has counted it. */
  countRun?: CountRun | undefined;
}

export interface Retried extends AcceptedRun {
  workflowId: string | null;
}

/**
 * Starts a new run for one that failed, timed out or was canceled, with the same model, params and options, and the same version
 * unless the order names another one of a workflow. It is charged again, and its parent is the old run.
 */
export async function retryRun(ctx: Context, order: RetryOrder): Promise<Retried> {
  const { status } = await writableRun(ctx, order.runId);
  if (!isTerminal(status) || status === 'succeeded') {
    const reason = status === 'succeeded' ? 'has succeeded' : 'has not ended';
    throw new DomainError(
      'INVALID_TRANSITION',
      `The run ${reason}: only runs that failed, timed out or were canceled can be retried`,
      { status },
    );
  }
  const run = await ctx.db.findOneByOrFail(Run, { id: order.runId });
  if (run.cause?.['kind'] === 'tracking') {
    const message = 'A tracking record cannot be retried: record a new one with the tool run_lens and its workflow_id';
    throw new DomainError('INVALID_TRANSITION', message, { status });
  }
  for (const member of ['version', 'fromNode'] as const) {
    if (order[member] !== undefined && run.kind !== 'workflow') throw badInput(member, 'is for runs of workflows');
  }
  if (order.countRun) {
    await requireRunRate(order.countRun, run.accountId, run.kind === 'workflow' ? 'run' : 'execute');
  }
  return { ...(await retries[run.kind](ctx, run, order)), workflowId: run.workflowId };
}

type Retry = (ctx: Context, run: Run, order: RetryOrder) => Promise<AcceptedRun>;

const retries: Record<RunKind, Retry> = {
  lens: retryLensRun,
  workflow: retryWorkflowRun,
  prompt: retryPromptRun,
  judging: retryJudgingRun,
};

/** The time limit of old runs that were stored without one. */
const defaultTimeoutMs = 600_000;

function retryLensRun(ctx: Context, run: Run, order: RetryOrder): Promise<AcceptedRun> {
  const { id, lensId, lensVersionId, modelId, params, priority } = run;
  if (lensId === null || lensVersionId === null || modelId === null)
    throw new Error(`lens run ${id} has no lens version or model`);
  return acceptLensRun(ctx, {
    lensId,
    version: lensVersionId,
    params,
    modelOverride: modelId,
    isRepeat: true,
    priority,
    ...toAnswerOptions(run),
    ...keptCause(run),
    ...toRequestedConcurrency(lensId, run),
    ...toRelease(run),
    ...scopeKey(order),
  });
}

function retryWorkflowRun(ctx: Context, run: Run, order: RetryOrder): Promise<AcceptedRun> {
  const { id, workflowId, workflowVersionId, params, modelId, budgetCredits } = run;
  if (workflowId === null || workflowVersionId === null) throw new Error(`workflow run ${id} has no workflow version`);
  return acceptWorkflowRun(ctx, {
    workflowId,
    version: order.version ?? workflowVersionId,
    inputs: params,
    parentRunId: id,
    ...toLabels(run),
    ...toFundingRequest(run),
    ...causeOfRetry(ctx, run),
    ...(modelId !== null && { modelOverride: modelId }),
    ...(budgetCredits !== null && { budgetCredits: Number(budgetCredits) }),
    ...toRequestedConcurrency(workflowId, run),
    ...(order.version === undefined && toRelease(run)),
    ...((order.from === 'failed_nodes' || order.fromNode !== undefined) && {
      keepFrom: id,
      repeatNode: order.fromNode,
    }),
    ...scopeKey(order),
  });
}

function retryPromptRun(ctx: Context, run: Run, order: RetryOrder): Promise<AcceptedRun> {
  const { id, params, modelId, cause } = run;
  const embedded = embeddedTextsIn(params);
  if (embedded) {
    const model = { ...(modelId !== null && { modelKey: modelId }) };
    return acceptEmbeddingRun(ctx, {
      ...embedded,
      ...model,
      cause: cause ?? {},
      ...toAnswerOptions(run),
      ...scopeKey(order),
    });
  }
  const { instructedBy, hasOneModel: _, ...input } = params;
  const { prompt, ...conversation } = conversationIn(input) ?? {};
  if (prompt === undefined || modelId === null) throw new Error(`prompt run ${id} has no prompt or model`);
  return acceptPromptRun(ctx, {
    prompt,
    conversation,
    ...(typeof instructedBy === 'string' && { instructedBy }),
    modelKey: modelId,
    cause: cause ?? {},
    ...toAnswerOptions(run),
    ...scopeKey(order),
  });
}

function retryJudgingRun(ctx: Context, run: Run, order: RetryOrder): Promise<AcceptedRun> {
  const { id: parentRunId, params, modelId, cause, creditHold } = run;
  return acceptJudgingRun(ctx, {
    targetId: parentRunId,
    params,
    modelId,
    hold: Number(creditHold),
    cause: cause ?? {},
    parentRunId,
    ...toExecutionLimits(run),
    ...toFundingRequest(run),
    ...scopeKey(order),
  });
}

/** The options of a run that a model answers. */
const toAnswerOptions = (run: Run) => ({
  parentRunId: run.id,
  ...toLabels(run),
  ...toExecutionLimits(run),
  ...toFundingRequest(run),
  ...(run.outputSchema && { outputSchema: run.outputSchema }),
  ...(run.sampling && { sampling: run.sampling }),
});

const toRelease = ({ label, arm, stickyHash }: Run) => ({
  kept: { label, arm },
  ...(stickyHash !== null && { stickyHash }),
});

const toLabels = ({ tags, metadata }: Run) => ({ tags, ...(metadata && { metadata }) });

const toExecutionLimits = ({ executionMs, creditLimit }: Run) => ({
  timeoutMs: executionMs ?? defaultTimeoutMs,
  ...(creditLimit !== null && { maxCredits: Number(creditLimit) }),
});

const toFundingRequest = ({ fundingSource, byokKeyId }: Run) => ({
  ...(fundingSource && { fundingSource }),
  ...(byokKeyId && { byokKeyRefId: byokKeyId }),
});

/** The cause of a lens or workflow run, if its owner is to get the outcome of the retry. */
function keptCause({ cause }: Run): { cause?: Record<string, unknown> } {
  if (!causesKeptByRetry.some((kind) => kind === cause?.['kind'])) return {};
  const { creditLimit: _, keepFrom: __, agentScopes: ___, repeatNode: ____, ...kept } = cause ?? {};
  return { cause: kept };
}

/** The platform retries a run with the rights of that run; other callers with their own. */
function causeOfRetry(ctx: Context, run: Run): { cause?: Record<string, unknown> } {
  const { cause } = keptCause(run);
  if (!isServiceRole(ctx)) return cause ? { cause } : {};
  const { agentScopes, creditLimit } = run.cause ?? {};
  return { cause: { ...cause, agentScopes: agentScopes ?? [], ...(creditLimit !== undefined && { creditLimit }) } };
}

/** Scopes the caller's idempotency key to this run, so that other uses of the key do not collide. */
const scopeKey = ({ runId, idempotencyKey: key }: RetryOrder): { idempotencyKey?: string } =>
  key === undefined ? {} : { idempotencyKey: `retry of ${runId.toLowerCase()}: ${key}` };
