import { type RunCause, readCallPolicy } from '@lensforge/contracts';
import { DomainError } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import {
  type RunSnapshot,
  type WorkflowRunOrder,
  acceptWorkflowRun,
  getAgentScopes,
  failedChild,
} from '@lensforge/runs';
import { type WorkflowSettings, maxWorkflowDepth } from '@lensforge/workflows';
import type { Usage } from '../engine/workflow/node-events.js';
import { type ExecuteNode, type NodeOutcome, type NodeWork, failed } from './node-type.js';

const checkAgainMs = 600_000;
const shortestMs = 1000;

/** Starts a child run and waits for its end without a worker; that end wakes the node. */
export const workflow: ExecuteNode<WorkflowSettings> = async (work) => {
  const { state } = work;
  const childRunId = typeof state?.['childRunId'] === 'string' ? state['childRunId'] : undefined;
  return childRunId === undefined ? startChild(work) : checkChild(work, childRunId);
};

async function startChild({
  settings,
  resolve,
  input,
  run,
  node,
  generation,
  owner,
  beforeEffect,
}: NodeWork<WorkflowSettings>): Promise<NodeOutcome> {
  const depth = (typeof run.cause?.['depth'] === 'number' ? run.cause['depth'] : 0) + 1;
  if (depth >= maxWorkflowDepth) {
    return failed('TOO_DEEP', `workflow runs may be nested at most ${maxWorkflowDepth} levels deep`, {
      retry: 'final',
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
      workflowId,
      version,
      inputs,
      ...optionsOfParent(run),
      keepFrom,
      timeoutMs: Math.max(run.msToDeadline, shortestMs),
      // A repeat after a lost worker finds the child run of the first attempt.
      idempotencyKey: `${runId}:${nodeKey}`,
      onRepeat: 'existing',
      // Agents in child runs have no more scopes than those of their parent.
      cause: {
        kind: 'node',
        runId,
        nodeKey,
        generation: generation + 1,
        depth,
        agentScopes: getAgentScopes(run.cause),
        calls: readCallPolicy(run.cause),
      } satisfies RunCause,
      isDeferred: run.cause?.['isDeferred'] === true,
      parentRunId: runId,
      awaited: true,
    });
    return { kind: 'waiting', dueMs: checkAgainMs, state: { childRunId: child.runId }, input: inputs };
  } catch (reason) {
    if (reason instanceof DomainError) return failed(reason.code, reason.message, { retry: 'final', input: inputs });
    throw reason;
  }
}

/** The options of the parent run that apply to its child runs too. */
const optionsOfParent = ({
  modelId,
  fundingSource,
  byokKeyId,
  stickyHash,
}: RunSnapshot): Partial<WorkflowRunOrder> => ({
  ...(modelId !== null && { modelOverride: modelId }),
  ...(fundingSource !== null && { fundingSource }),
  ...(byokKeyId !== null && { byokKeyRefId: byokKeyId }),
  ...(stickyHash !== null && { stickyHash }),
});

interface Child extends Required<Omit<Usage, 'reserved'>> {
  status: string;
  errorCode: string | null;
  errorMessage: string | null;
  outputs: Record<string, unknown> | null;
}

async function checkChild({ owner }: NodeWork<WorkflowSettings>, childRunId: string): Promise<NodeOutcome> {
  const [child] = await withDbRetry(() =>
    owner.db.query<Child[]>(
      `select r.status, r.error_code as "errorCode", r.error_message as "errorMessage", r.model_calls as "modelCalls",
              coalesce(r.token_input, 0) as "tokenInput", coalesce(r.token_output, 0) as "tokenOutput",
              r.token_details as "tokenDetails",
              r.spent_credits::float8 as cost,
              (select a.content_json from run_artifacts a where a.run_id = r.id and a.kind = 'json' order by a.id limit 1) as outputs
         from runs r where r.id = $1`,
      [childRunId],
    ),
  );
  if (!child) return failed('NOT_FOUND', `the run ${childRunId} no longer exists`, { retry: 'final' });
  const { status, errorCode, errorMessage, outputs, ...used } = child;
  if (status === 'queued' || status === 'running') {
    return { kind: 'waiting', dueMs: checkAgainMs, state: { childRunId } };
  }
  if (status === 'succeeded') return { kind: 'succeeded', output: outputs ?? {}, ...used };
  const message = errorMessage ?? `the run ${childRunId} ended as ${status}`;
  // The child spends from the budget of its parent.
  const endsRun = errorCode === 'BUDGET_EXCEEDED';
  return failed(errorCode ?? status.toUpperCase(), message, { retry: 'final', endsRun, ...used });
}
