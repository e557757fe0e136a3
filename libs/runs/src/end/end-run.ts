import type { RunEvent, RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { NewRunEvent } from '../new-run-events.js';
import { type EndedNode, endNodes, openChildren } from './end-nodes.js';
import { nodeRef } from '../node-ref.js';
import { countCanceled, hasNodes, lockTree } from '../run-tree.js';
import { wakeParent } from './wake-parent.js';
import { type Delivered, deliveredByRun } from './delivered-text.js';
import { type RunEnd, type RunOutcome, endWithSettlement } from './end-runs.js';

export interface RunEnding {
  runId: string;
  from: 'queued' | 'running';
  status: Exclude<RunStatus, 'queued' | 'running' | 'succeeded'>;
  reason: string;
  errorCode?: string;
  /** Of a canceled run; by default the reason. */
  errorMessage?: string;
  /** If given, the run ends only while this attempt holds it. */
  attempt?: number;
  /** Text of the attempt that is not stored yet. */
  events?: readonly NewRunEvent[];
  /** The use that the attempt has measured; by default it is estimated from the stored text. */
  delivered?: Delivered | undefined;
}

/**
 * Ends a run outside of a worker's normal finish, with its open nodes and child runs, in one transaction. Returns undefined
 * when the run is no longer in the expected status and attempt.
 */
export function endRun(ctx: Context, ending: RunEnding): Promise<RunEvent[] | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const { runId, from } = ending;
    const run = await lockRun(ctx, ending);
    if (!run) return undefined;
    const { hasNodes, cause } = run;
    if (hasNodes) await lockTree(ctx, runId);
    const nodes = hasNodes ? await endNodes(ctx, runId) : [];
    const stored = await endWithSettlement(ctx, {
      ...(await usedBy(ctx, run, ending)),
      runId,
      from,
      outcome: toRunOutcome(ending),
      events: [...(ending.events ?? []), ...nodes.map(canceled)],
      artifacts: [],
    });
    if (hasNodes) {
      await endChildren(ctx, runId);
      await countCanceled(ctx, runId, toKeys(nodes));
    }
    if (cause?.['kind'] === 'node') await wakeParent(ctx, cause);
    return stored;
  });
}

/** The use of the run with that of its stopped requests, and the hold. */
async function usedBy(
  ctx: Context,
  { hasNodes, cause: _, ...run }: LockedRun,
  { runId, status, delivered }: RunEnding,
): Promise<Omit<LockedRun, 'hasNodes' | 'cause'>> {
  if (hasNodes) return { ...run, ...(await spentByNodes(ctx, runId)) };
  if (run.hold === 0 || status === 'failed') return run;
  return { ...run, ...(delivered ?? (await deliveredByRun(ctx, runId, run.hold))) };
}

/** The use of a run after its nodes were settled. */
async function spentByNodes(ctx: Context, runId: string): Promise<Delivered> {
  const [spent] = await ctx.db.query<[Delivered]>(
    `select token_input as "tokenInput", token_output as "tokenOutput", token_details as "tokenDetails",
            spent_credits::float8 as cost
       from runs where id = $1`,
    [runId],
  );
  return spent;
}

type LockedRun = Pick<
  RunEnd,
  'workflowId' | 'attempt' | 'tokenInput' | 'tokenOutput' | 'tokenDetails' | 'hold' | 'cost'
> & {
  hasNodes: boolean;
  cause: Record<string, unknown> | null;
};

async function lockRun(ctx: Context, { runId, from, attempt }: RunEnding): Promise<LockedRun | undefined> {
  const [run] = await ctx.db.query<LockedRun[]>(
    `select ${hasNodes} as "hasNodes", cause, workflow_id as "workflowId", attempt, token_input as "tokenInput", token_output as "tokenOutput",
            token_details as "tokenDetails", credit_hold::float8 as hold, spent_credits::float8 as cost
       from runs where id = $1 and status = $2 and ($3::int is null or attempt = $3) for update`,
    [runId, from, attempt ?? null],
  );
  return run;
}

function toRunOutcome({ status, reason, errorCode, errorMessage = reason }: RunEnding): RunOutcome {
  if (status !== 'canceled') {
    return { status, error: { errorCode: errorCode ?? status.toUpperCase(), errorMessage: reason } };
  }
  return { status, reason, error: errorCode === undefined ? undefined : { errorCode, errorMessage } };
}

const toKeys = (nodes: readonly EndedNode[]): string[] => nodes.map(({ nodeKey }) => nodeKey);

const canceled = (node: EndedNode): NewRunEvent => ({ type: 'node.canceled', payload: nodeRef(node) });

/** Cancels the runs that nodes of this run wait for. */
async function endChildren(ctx: Context, runId: string): Promise<void> {
  for (const { id, status: from } of await openChildren(ctx, runId)) {
    await endRun(ctx, { runId: id, from, status: 'canceled', reason: 'its parent run has ended' });
  }
}
