import type { RunCause, RunKind, Sampling } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { recordRunChanges } from '@lensforge/database';
import { claimRunsSql } from './claim-runs.sql.js';
import { inOrder } from '../fence.js';
import { type NewRunEvent, storedRunEvents } from '../new-run-events.js';

export interface Claim {
  runId: string;
  generation: number;
  worker: string;
  leaseMs: number;
}

/** A run with everything that a worker needs to execute it; `attempt` is the fencing token of its writes. */
export interface ClaimedRun {
  id: string;
  accountId: string;
  requestId: string;
  kind: RunKind;
  attempt: number;
  lensVersionId: string | null;
  /** The lens whose sponsor pays for the run; null for other funding sources. */
  sponsoredLensId: string | null;
  workflowId: string | null;
  params: Record<string, unknown>;
  outputSchema: Record<string, unknown> | null;
  sampling: Sampling | null;
  /** null for a workflow run whose nodes have their own models, and for a judging without a model. */
  modelId: string | null;
  hold: number;
  byokKeyId: string | null;
  traceparent: string | null;
  cause: RunCause | null;
  msToDeadline: number;
  /** The sequence number of its last event. */
  sequence: number;
}

interface Row extends Omit<ClaimedRun, 'sequence'> {
  generation: number;
  before: number;
  events: [NewRunEvent];
  at: string;
}

/** Claims queued runs for a worker in one statement; undefined for a late, repeated or obsolete job. */
export async function claimRuns(ctx: Context, claims: readonly Claim[]): Promise<(ClaimedRun | undefined)[]> {
  const rows = await ctx.db.query<Row[]>(claimRunsSql, [JSON.stringify(inOrder(claims))]);
  recordRunChanges(ctx, { events: rows.flatMap((row) => storedRunEvents(row.events, { runId: row.id, ...row })) });
  const claimed = new Map(rows.map((row) => [toClaimKey(row.id, row.generation), claimedRun(row)]));
  return claims.map(({ runId, generation }) => {
    const job = toClaimKey(runId, generation);
    const run = claimed.get(job);
    claimed.delete(job);
    return run;
  });
}

const toClaimKey = (runId: string, generation: number): string => `${runId} ${generation}`;

function claimedRun({ generation: _generation, at: _at, before, events, ...run }: Row): ClaimedRun {
  return { ...run, sequence: before + events.length };
}
