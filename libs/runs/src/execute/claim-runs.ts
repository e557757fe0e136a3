import type { Context } from '@lensforge/core';
import { recordRunChanges } from '@lensforge/database';
import { type ClaimedRow, type ClaimedRun, toClaimedRun } from '../claimed-run.js';
import { claimRunsSql } from './claim-runs.sql.js';
import { inOrder } from '../fence.js';
import { storedRunEvents } from '../new-run-events.js';

export interface Claim {
  runId: string;
  generation: number;
  worker: string;
  leaseMs: number;
}

/** Claims queued runs for a worker in one statement; undefined for a late, repeated or obsolete job. */
export async function claimRuns(ctx: Context, claims: readonly Claim[]): Promise<(ClaimedRun | undefined)[]> {
  const rows = await ctx.db.query<ClaimedRow[]>(claimRunsSql, [JSON.stringify(inOrder(claims))]);
  recordRunChanges(ctx, { events: rows.flatMap((row) => storedRunEvents(row.events, { runId: row.id, ...row })) });
  const claimed = new Map(rows.map((row) => [toClaimKey(row.id, row.generation), toClaimedRun(row)]));
  return claims.map(({ runId, generation }) => {
    const job = toClaimKey(runId, generation);
    const run = claimed.get(job);
    claimed.delete(job);
    return run;
  });
}

const toClaimKey = (runId: string, generation: number): string => `${runId} ${generation}`;
