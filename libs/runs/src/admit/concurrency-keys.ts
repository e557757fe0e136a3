import type { Concurrency, ConcurrencyStrategy, RunStatus } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { recordRunChanges } from '@lensforge/database';
import { endRun } from '../end/end-run.js';
import { hasNodes } from '../run-tree.js';

export interface KeyedRun {
  id: string;
  accountId: string;
  concurrencyKey?: string | null;
  concurrencyStrategy?: ConcurrencyStrategy | null;
}

interface ConcurrencyRequest {
  concurrencyKey?: string | undefined;
  concurrencyStrategy?: ConcurrencyStrategy | undefined;
}

/** Converts the concurrency options of a request to columns of the run. */
export function toConcurrencyColumns(
  targetId: string,
  { concurrencyKey: requested, concurrencyStrategy: strategy }: ConcurrencyRequest,
): Required<Pick<KeyedRun, 'concurrencyKey' | 'concurrencyStrategy'>> {
  if (requested !== undefined) {
    return { concurrencyKey: keyWithin(targetId, requested), concurrencyStrategy: strategy ?? 'queue' };
  }
  if (strategy === undefined) return { concurrencyKey: null, concurrencyStrategy: null };
  throw badInput('concurrencyStrategy', 'requires concurrencyKey');
}

/** The concurrency options that a run was requested with, for a retry. */
export const toRequestedConcurrency = (
  targetId: string,
  { concurrencyKey: key, concurrencyStrategy: strategy }: Pick<KeyedRun, 'concurrencyKey' | 'concurrencyStrategy'>,
): Concurrency =>
  key ? { concurrencyKey: toRequestedKey(targetId, key), ...(strategy && { concurrencyStrategy: strategy }) } : {};

/** The stored key; the same key for another lens or workflow is independent. */
export const keyWithin = (targetId: string, requested: string): string => `${targetId} ${requested}`;

/** The key as the caller named it; old rows store it without the target. */
export const toRequestedKey = (targetId: string, key: string): string =>
  key.startsWith(`${targetId} `) ? key.slice(targetId.length + 1) : key;

/** Serialises runs that cancel others of their key, until the commit. */
export async function lockKey(
  ctx: Context,
  { accountId, concurrencyKey }: Pick<KeyedRun, 'accountId' | 'concurrencyKey'>,
): Promise<void> {
  await ctx.db.query(`select pg_advisory_xact_lock(hashtextextended('concurrency key ' || $1::text || $2::text, 0))`, [
    accountId,
    concurrencyKey,
  ]);
}

/** Applies the strategy of a run that waits for its key, and returns the run's status; call lockKey first. */
export async function applyStrategy(ctx: Context, run: KeyedRun): Promise<RunStatus> {
  if (run.concurrencyStrategy === 'cancel-newest') {
    const reason = 'another run with the same concurrency key has not ended';
    await endRun(ctx, { runId: run.id, from: 'queued', status: 'canceled', reason });
    return 'canceled';
  }
  await cancelOthers(ctx, run);
  return 'queued';
}

const reason = 'a newer run with the same concurrency key replaced it';

/** Cancels the waiting runs before the holder, so that the key passes to the new run. */
async function cancelOthers(ctx: Context, run: KeyedRun): Promise<void> {
  const { id, accountId, concurrencyKey } = run;
  const waiting = await ctx.db.query<{ id: string }[]>(
    `select id from runs
      where account_id = $1 and concurrency_key = $2 and status = 'queued' and waits_for = 'key' and id <> $3
      order by id for update`,
    [accountId, concurrencyKey, id],
  );
  for (const { id: runId } of waiting) {
    await endRun(ctx, { runId, from: 'queued', status: 'canceled', reason });
  }
  const [holder] = await ctx.db.query<{ id: string; status: RunStatus; hasNodes: boolean }[]>(
    `select r.id, r.status, ${hasNodes} as "hasNodes" from concurrency_claims t join runs r on r.id = t.run_id
      where t.account_id = $1 and t.key = $2 and r.id <> $3 for update of r`,
    [accountId, concurrencyKey, id],
  );
  if (holder?.status === 'queued' || (holder?.status === 'running' && holder.hasNodes)) {
    const { id: runId, status: from } = holder;
    await endRun(ctx, { runId, from, status: 'canceled', reason });
    return;
  }
  if (holder?.status !== 'running') return;
  await ctx.db.query('update runs set cancel_requested_at = coalesce(cancel_requested_at, now()) where id = $1', [
    holder.id,
  ]);
  recordRunChanges(ctx, { runsToStop: [holder.id] });
}

/**
 * Passes free keys to their first waiting runs; returns the ids of those runs. The function of the database chooses them,
 * as at the end of the run that held a key.
 */
export async function passClaims(ctx: Context, keys: readonly { accountId: string; key: string }[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await ctx.db.query<{ id: string | null }[]>(
    `select pass_concurrency_key(account_id, key) as id
       from (select distinct account_id, key from unnest($1::uuid[], $2::text[]) as x(account_id, key)
              order by account_id, key) free`,
    [keys.map(({ accountId }) => accountId), keys.map(({ key }) => key)],
  );
  return rows.flatMap(({ id }) => id ?? []);
}
