import type { RetryFrom } from '@lensforge/contracts';
import { isTerminal } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import type { AcceptedRun } from './accept-lens-run.js';
import { acceptLensRun } from './accept-lens-run.js';
import { acceptWorkflowRun } from './accept-workflow-run.js';
import { writableRun } from '../access.js';
import { requestedConcurrencyOf } from '../admit/concurrency-keys.js';
import type { CountRun } from './count-run.js';
import { requireRunRate } from './count-run.js';
import { Run } from '../run.entity.js';

export interface RetryOrder {
  runId: string;
  idempotencyKey?: string | undefined;
  /** What of a workflow is done again; a lens is one node. */
  from?: RetryFrom | undefined;
  /** Counts the new run in its rate class; absent when the caller has counted it. */
  countRun?: CountRun | undefined;
}

export interface Retried extends AcceptedRun {
  workflowId: string | null;
}

/**
 * A new run of one that failed, timed out or was canceled: the same version, model, params and options, paid for anew.
 * The new one names the old one as its parent.
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
  if (order.countRun) {
    await requireRunRate(order.countRun, run.accountId, run.kind === 'workflow' ? 'run' : 'execute');
  }
  if (run.kind === 'workflow') return { ...(await retryWorkflowRun(ctx, run, order)), workflowId: run.workflowId };
  return { ...(await retryLensRun(ctx, run, order)), workflowId: null };
}

/** What runs have to say that were accepted before it was noted. */
const usualMs = 600_000;

function retryLensRun(ctx: Context, run: Run, order: RetryOrder): Promise<AcceptedRun> {
  const { id, lensId, lensVersionId, modelId, fundingSource, byokKeyId, outputSchema, sampling, executionMs } = run;
  if (lensId === null || lensVersionId === null || modelId === null) throw new Error(`run ${id} of a lens has none`);
  const { creditLimit, metadata, params, priority, tags } = run;
  return acceptLensRun(ctx, {
    ...{ lensId, version: lensVersionId, params, modelOverride: modelId, tags, priority, parentRunId: id },
    timeoutMs: executionMs ?? usualMs,
    ...(fundingSource && { fundingSource }),
    ...(byokKeyId && { byokKeyRefId: byokKeyId }),
    ...(outputSchema && { outputSchema }),
    ...(sampling && { sampling }),
    ...(metadata && { metadata }),
    ...(creditLimit !== null && { maxCredits: Number(creditLimit) }),
    ...requestedConcurrencyOf(lensId, run),
    ...keyOf(order),
  });
}

function retryWorkflowRun(ctx: Context, run: Run, order: RetryOrder): Promise<AcceptedRun> {
  const { id, workflowId, workflowVersionId, params, modelId, budgetCredits, tags, metadata } = run;
  const { fundingSource, byokKeyId } = run;
  if (workflowId === null || workflowVersionId === null) throw new Error(`run ${id} of a workflow has none`);
  return acceptWorkflowRun(ctx, {
    ...{ workflowId, version: workflowVersionId, inputs: params, tags, parentRunId: id },
    ...(metadata && { metadata }),
    ...(modelId !== null && { modelOverride: modelId }),
    ...(fundingSource && { fundingSource }),
    ...(byokKeyId && { byokKeyRefId: byokKeyId }),
    ...(budgetCredits !== null && { budgetCredits: Number(budgetCredits) }),
    ...requestedConcurrencyOf(workflowId, run),
    ...(order.from === 'failed_nodes' && { keepFrom: id }),
    ...keyOf(order),
  });
}

/** Under the caller's key there is one new run of this run, whatever else the key was used for. */
const keyOf = ({ runId, idempotencyKey: key }: RetryOrder): { idempotencyKey?: string } =>
  key === undefined ? {} : { idempotencyKey: `retry of ${runId.toLowerCase()}: ${key}` };
