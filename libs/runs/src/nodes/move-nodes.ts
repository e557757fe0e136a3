import { type NodeStatus, type RunStatus, type TokenDetails, jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type OutboxRow, inTransaction, outboxClaimMs, recordRunChanges, toJsonb } from '@lensforge/database';
import { type NewArtifact, type RunEnd, type RunError, endRuns, toRunOutcome } from '../end/end-runs.js';
import { inOrder } from '../fence.js';
import { type NewRunEvent, storedRunEvents } from '../new-run-events.js';
import { moveNodesSql } from './move-nodes.sql.js';
import { nodeJobId } from '../node-job-id.js';

/** The state of a node after the move. */
export interface NodeMove {
  key: string;
  nodeId: string;
  type: string;
  status: NodeStatus;
  generation: number;
  attempt: number;
  tries: number;
  lostAttempts: number;
  /** The worker that holds the node while it is running. */
  worker: string | null;
  leaseMs: number | null;
  /** Milliseconds until a waiting node is checked or a queued one is retried. */
  dueMs: number | null;
  live: readonly string[] | null;
  state: Readonly<Record<string, unknown>> | null;
  /** Absent members keep their values. */
  input?: unknown;
  output?: unknown;
  error?: { code: string; message: string } | null;
  modelCalls?: number;
  tokensUsed?: number;
  cost?: number;
}

export interface NewNodeJob {
  key: string;
  generation: number;
  delayMs: number;
  /** The run of the node; set if it is the parent run that waits for this one. */
  runId?: string;
}

export interface NewWait {
  id: string;
  key: string;
  kind: 'approval' | 'webhook';
  message: string | null;
  details: unknown;
  expiresMs: number;
}

export interface RunMoveEnd {
  status: Extract<RunStatus, 'succeeded' | 'failed'>;
  artifacts: readonly NewArtifact[];
  failure: RunError | null;
}

/** A state change of nodes of a run, with everything that is committed together. */
export interface RunMove {
  runId: string;
  /** The version of the snapshot on which the move was decided. */
  version: number;
  /** The attempt of the worker that starts the run; later moves need none. */
  attempt: number | null;
  requestId: string;
  traceparent: string | null;
  workflowId: string | null;
  /** Without the events of the end of the run, which the move adds. */
  events: readonly NewRunEvent[];
  nodes: readonly NodeMove[];
  jobs: readonly NewNodeJob[];
  waits: readonly NewWait[];
  /** The credits spent by the nodes that end with this move. */
  spent: number;
  modelCalls: number;
  tokenInput: number;
  tokenOutput: number;
  tokenDetails?: TokenDetails | null;
  end: RunMoveEnd | null;
}

/**
 * Commits moves of several runs, in one statement unless one of them ends its run; false if the run has ended or its version
 * has changed.
 */
export const moveNodes = (ctx: Context, moves: readonly RunMove[]): Promise<boolean[]> =>
  moves.some(({ end }) => end) ? inTransaction(ctx, (ctx) => write(ctx, moves)) : write(ctx, moves);

/** A run after its move, with the totals of its nodes. */
interface Row {
  id: string;
  attempt: number;
  before: number;
  tokenInput: number;
  tokenOutput: number;
  tokenDetails: TokenDetails | null;
  cost: number;
  at: string;
}

async function write(ctx: Context, moves: readonly RunMove[]): Promise<boolean[]> {
  const input = moves.map(({ jobs: newJobs, end: _, ...move }) => ({
    ...move,
    jobs: newJobs.map(({ runId = move.runId, ...job }) => ({
      ...job,
      id: newId(),
      runId,
      jobId: nodeJobId(runId, job.key, job.generation),
    })),
  }));
  const rows = await ctx.db.query<Row[]>(moveNodesSql, [toJsonb(inOrder(input)), outboxClaimMs(ctx)]);
  const moved = new Map(rows.map((row) => [row.id, row]));
  for (const move of input) {
    const row = moved.get(move.runId);
    if (row)
      recordRunChanges(ctx, {
        events: storedRunEvents(move.events, { runId: move.runId, ...row }),
        jobs: dueJobs(move),
      });
  }
  await endRuns(
    ctx,
    moves.flatMap((move) => {
      const row = moved.get(move.runId);
      return row && move.end ? [toRunEnd(move, move.end, row)] : [];
    }),
  );
  return moves.map(({ runId }) => moved.has(runId));
}

interface NodeJobRow extends NewNodeJob {
  id: string;
  runId: string;
  jobId: string;
}

/** The outbox rows that this process publishes. */
const dueJobs = ({
  jobs: rows,
  ...origin
}: Pick<RunMove, 'requestId' | 'traceparent'> & { jobs: NodeJobRow[] }): OutboxRow[] =>
  rows
    .filter(({ delayMs }) => delayMs === 0)
    .map(({ id, jobId, runId, key, generation }) => ({
      id,
      jobId,
      requestId: origin.requestId,
      traceparent: origin.traceparent,
      job: jobs.executeNode.name,
      payload: { runId, nodeKey: key, generation },
      availableAt: new Date(0),
    }));

/** The end that follows the move in its transaction, which holds the lock of the run. */
const toRunEnd = ({ runId, workflowId }: RunMove, { artifacts, failure }: RunMoveEnd, row: Row): RunEnd => ({
  runId,
  workflowId,
  attempt: row.attempt,
  from: 'running',
  outcome: toRunOutcome(failure),
  events: [],
  artifacts,
  tokenInput: row.tokenInput,
  tokenOutput: row.tokenOutput,
  tokenDetails: row.tokenDetails,
  hold: 0,
  cost: row.cost,
});
