import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { NewRunEvent } from '../execute/append-events.js';
import { appendEvents } from '../execute/append-events.js';
import { extendLeases } from '../execute/run-leases.js';
import { leaseEnded, localRun, storable } from './local-lease.js';

export interface LocalReport {
  runId: string;
  leaseToken: number;
  /** The sequence number of the last event that the runner knows of. */
  after: number;
  deltas: readonly string[];
  log: readonly string[];
  leaseMs: number;
}

export interface LocalProgress {
  cancelRequested: boolean;
  sequence: number;
  events: RunEvent[];
}

/** The node id under which a lens run tells its output. */
const lensNode = 'lens';

/** What a runner has so far; its lease begins anew. A report that is made again adds nothing. */
export async function reportLocalRun(ctx: Context, report: LocalReport): Promise<LocalProgress> {
  const { runId, leaseToken: attempt, after, deltas, log, leaseMs } = report;
  const run = await localRun(ctx, runId);
  if (run.attempt !== attempt || run.status !== 'running') throw leaseEnded(run);
  const events: NewRunEvent[] = [
    ...deltas.map((text): NewRunEvent => ({
      type: 'node.output.delta',
      payload: { nodeId: lensNode, text: storable(text) },
    })),
    ...log.map((message): NewRunEvent => ({ type: 'log', payload: { level: 'info', message: storable(message) } })),
  ];
  const [told] = events.length > 0 ? await appendEvents(ctx, [{ runId, attempt, after, events }]) : [[]];
  if (!told) throw leaseEnded(await localRun(ctx, runId));
  const [beat] = await extendLeases(ctx, [{ runId, attempt }], leaseMs);
  if (!beat) throw leaseEnded(await localRun(ctx, runId));
  return { cancelRequested: beat.cancelRequested, sequence: after + events.length, events: told };
}
