import { DomainError } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { RunSnapshot, WorkflowRunOrder } from '@lensforge/runs';
import { acceptWorkflowRun, failedChild } from '@lensforge/runs';
import type { WorkflowSettings } from '@lensforge/workflows';
import { maxWorkflowDepth } from '@lensforge/workflows';
import type { Used } from '../engine/workflow/node-events.js';
import type { ExecuteNode, NodeOutcome, NodeWork } from './node-type.js';
import { failed } from './node-type.js';

const lookAgainMs = 600_000;
const shortestMs = 1000;

/** Starts a run of its own and waits for its end as a row; that end wakes the node. */
export const workflow: ExecuteNode<WorkflowSettings> = async (work) => {
  const { state } = work;
  const childRunId = typeof state?.['childRunId'] === 'string' ? state['childRunId'] : undefined;
  return childRunId === undefined ? begin(work) : lookAt(work, childRunId);
};

async function begin({
  settings,
  resolve,
  input,
  run,
  node,
  generation,
  owner,
  beforeEffect,
  parts,
}: NodeWork<WorkflowSettings>): Promise<NodeOutcome> {
  const depth = (typeof run.cause?.['depth'] === 'number' ? run.cause['depth'] : 0) + 1;
  if (depth >= maxWorkflowDepth) {
    return failed('TOO_DEEP', `workflow runs may be nested at most ${maxWorkflowDepth} levels deep`, {
      again: 'final',
    });
  }
  const { workflowId, version } = settings;
  const inputs = { ...(resolve(settings.inputs) as Record<string, unknown>), ...input };
  const { runId, nodeKey } = node;
  const { keepFrom: earlier } = run.cause ?? {};
  const keepFrom =
    typeof earlier === 'string'
      ? await withDbRetry(() => failedChild(owner, { runId: earlier, nodeKey, inputs }))
      : undefined;
  beforeEffect();
  try {
    const child = await acceptWorkflowRun(owner, {
      ...{ workflowId, version, inputs },
      ...ofParent(run),
      keepFrom,
      timeoutMs: Math.max(run.msToDeadline, shortestMs),
      // A repeat after a lost worker finds the run that the first attempt has started.
      idempotencyKey: `${runId}:${nodeKey}`,
      onRepeat: 'existing',
      cause: { kind: 'node', runId, nodeKey, generation: generation + 1, depth },
      parentRunId: runId,
      awaited: true,
    });
    if (child.handOver) parts.handOver([child.handOver]);
    return { kind: 'waiting', dueMs: lookAgainMs, state: { childRunId: child.runId }, input: inputs };
  } catch (reason) {
    if (reason instanceof DomainError) return failed(reason.code, reason.message, { again: 'final', input: inputs });
    throw reason;
  }
}

/** What holds for all nodes of a run holds for those of the runs that it starts. */
const ofParent = ({ modelId, fundingSource, byokKeyId }: RunSnapshot): Partial<WorkflowRunOrder> => ({
  ...(modelId !== null && { modelOverride: modelId }),
  ...(fundingSource !== null && { fundingSource }),
  ...(byokKeyId !== null && { byokKeyRefId: byokKeyId }),
});

interface Child extends Required<Omit<Used, 'reserved'>> {
  status: string;
  errorCode: string | null;
  errorMessage: string | null;
  outputs: Record<string, unknown> | null;
}

async function lookAt({ owner }: NodeWork<WorkflowSettings>, childRunId: string): Promise<NodeOutcome> {
  const [child] = await withDbRetry(() =>
    owner.db.query<Child[]>(
      `select r.status, r.error_code as "errorCode", r.error_message as "errorMessage", r.model_calls as "modelCalls",
              coalesce(r.token_input, 0) as "tokenInput", coalesce(r.token_output, 0) as "tokenOutput",
              r.spent_credits::float8 as cost,
              (select a.content_json from run_artifacts a where a.run_id = r.id and a.kind = 'json' order by a.id limit 1) as outputs
         from runs r where r.id = $1`,
      [childRunId],
    ),
  );
  if (!child) return failed('NOT_FOUND', `the run ${childRunId} no longer exists`, { again: 'final' });
  const { status, errorCode, errorMessage, outputs, ...used } = child;
  if (status === 'queued' || status === 'running') {
    return { kind: 'waiting', dueMs: lookAgainMs, state: { childRunId } };
  }
  if (status === 'succeeded') return { kind: 'succeeded', output: outputs ?? {}, ...used };
  const said = errorMessage ?? `the run ${childRunId} ended as ${status}`;
  // It spends from the budget of the run that has started it.
  const endsRun = errorCode === 'BUDGET_EXCEEDED';
  return failed(errorCode ?? status.toUpperCase(), said, { again: 'final', endsRun, ...used });
}
