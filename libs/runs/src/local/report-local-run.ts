import type { Context } from '@lensforge/core';
import { appendEvents } from '../execute/append-events.js';
import type { NewRunEvent } from '../new-run-events.js';
import { extendLeases } from '../execute/run-leases.js';
import { leaseEnded, localRun, storable } from './local-lease.js';

export interface LocalReport {
  runId: string;
  leaseToken: number;
  /** The sequence number of the last event that the runner knows. */
  after: number;
  deltas: readonly string[];
  log: readonly string[];
  leaseMs: number;
}

export interface LocalProgress {
  cancelRequested: boolean;
  sequence: number;
}

/** The node id in the output events of a lens run. */
const lensNode = 'lens';

/** Stores the progress of a local runner and extends its lease; a repeated report adds nothing. */
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
  const [stored] = events.length > 0 ? await appendEvents(ctx, [{ runId, attempt, after, events }]) : [[]];
  if (!stored) throw leaseEnded(await localRun(ctx, runId));
  const [heartbeat] = await extendLeases(ctx, [{ runId, attempt }], leaseMs);
  if (!heartbeat) throw leaseEnded(await localRun(ctx, runId));
  return { cancelRequested: heartbeat.cancelRequested, sequence: after + events.length };
}
