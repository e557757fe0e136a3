import type { Context } from '@lensforge/core';
import { extendLeasesSql, readLeasesSql } from './run-leases.sql.js';

export interface HeldRun {
  runId: string;
  attempt: number;
}

export interface RunLease extends HeldRun {
  cancelRequested: boolean;
}

export interface RunHeartbeat extends RunLease {
  /** False when another statement had locked the row; the next heartbeat extends the lease. */
  extended: boolean;
}

/**
 * Extends the leases of a worker's runs in one statement; runs that are missing in the result are no longer its own.
 * Skips locked rows to avoid deadlocks with the worker's other statements.
 */
export async function extendLeases(ctx: Context, held: readonly HeldRun[], leaseMs: number): Promise<RunHeartbeat[]> {
  return ctx.db.query<RunHeartbeat[]>(extendLeasesSql, [JSON.stringify(held), leaseMs]);
}

/** Reads without writing which runs the worker still holds, and which of them must stop. */
export async function readLeases(ctx: Context, held: readonly HeldRun[]): Promise<RunLease[]> {
  return ctx.db.query<RunLease[]>(readLeasesSql, [JSON.stringify(held)]);
}

/** Ends the lease of a run whose worker is known to be dead. */
export async function expireLease(ctx: Context, { runId, worker }: { runId: string; worker: string }): Promise<void> {
  await ctx.db.query(`update runs set lease_until = now() where id = $1 and worker = $2 and status = 'running'`, [
    runId,
    worker,
  ]);
}
