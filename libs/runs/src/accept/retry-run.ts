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
  /** The nodes of a workflow to repeat; a lens has one node. */
  from?: RetryFrom | undefined;
  /** Counts the new run in its rate class; absent when the caller has counted it. */
  countRun?: CountRun | undefined;
}

export interface Retried extends AcceptedRun {
  workflowId: string | null;
}

/**
 * Starts a new run for one that failed, timed out or was canceled, with the same version, model, params and options.
 * It is charged again, and its parent is the old run.
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

/** The time limit of old runs that were stored without one. */
const defaultTimeoutMs = 600_000;

function retryLensRun(ctx: Context, run: Run, order: RetryOrder): Promise<AcceptedRun> {
  const { id, lensId, lensVersionId, modelId, fundingSource, byokKeyId, outputSchema, sampling, executionMs } = run;
  if (lensId === null || lensVersionId === null || modelId === null)
    throw new Error(`lens run ${id} has no lens version or model`);
  const { creditLimit, metadata, params, priority, tags } = run;
  return acceptLensRun(ctx, {
    lensId,
    version: lensVersionId,
    params,
    modelOverride: modelId,
    tags,
    priority,
    parentRunId: id,
    timeoutMs: executionMs ?? defaultTimeoutMs,
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
  if (workflowId === null || workflowVersionId === null) throw new Error(`workflow run ${id} has no workflow version`);
  return acceptWorkflowRun(ctx, {
    workflowId,
    version: workflowVersionId,
    inputs: params,
    tags,
    parentRunId: id,
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

/** Scopes the caller's idempotency key to this run, so that other uses of the key do not collide. */
const keyOf = ({ runId, idempotencyKey: key }: RetryOrder): { idempotencyKey?: string } =>
  key === undefined ? {} : { idempotencyKey: `retry of ${runId.toLowerCase()}: ${key}` };
