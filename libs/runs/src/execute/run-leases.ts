import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';

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

const extend = preparedStatement(`
with held as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("runId" uuid, "attempt" int)
), free as (
  select r.id from runs r join held h on r.id = h."runId" and r.attempt = h."attempt"
   where r.id = any (array(select "runId" from held)) and r.status = 'running' for update of r skip locked
), extended as (
  update runs r set lease_until = now() + $2 * interval '1 ms' from free f where r.id = f.id returning r.id
)
select r.id as "runId", r.attempt, r.cancel_requested_at is not null as "cancelRequested", e.id is not null as extended
  from held h join runs r on r.id = h."runId" and r.attempt = h."attempt" left join extended e on e.id = r.id
 where r.id = any (array(select "runId" from held)) and r.status = 'running'`);

/**
 * Extends the leases of a worker's runs in one statement; runs that are missing in the result are no longer its own.
 * Skips locked rows to avoid deadlocks with the worker's other statements.
 */
export async function extendLeases(ctx: Context, held: readonly HeldRun[], leaseMs: number): Promise<RunHeartbeat[]> {
  return ctx.db.query<RunHeartbeat[]>(extend, [JSON.stringify(held), leaseMs]);
}

const read = preparedStatement(`
with held as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("runId" uuid, "attempt" int)
)
select r.id as "runId", r.attempt, r.cancel_requested_at is not null as "cancelRequested"
  from held h join runs r on r.id = h."runId" and r.attempt = h."attempt"
 where r.id = any (array(select "runId" from held)) and r.status = 'running'`);

/** Reads without writing which runs the worker still holds, and which of them must stop. */
export async function readLeases(ctx: Context, held: readonly HeldRun[]): Promise<RunLease[]> {
  return ctx.db.query<RunLease[]>(read, [JSON.stringify(held)]);
}

/** Ends the lease of a run whose worker is known to be dead. */
export async function expireLease(ctx: Context, { runId, worker }: { runId: string; worker: string }): Promise<void> {
  await ctx.db.query(`update runs set lease_until = now() where id = $1 and worker = $2 and status = 'running'`, [
    runId,
    worker,
  ]);
}
