import { hash } from 'node:crypto';
import { type Context, DomainError } from '@lensforge/core';
import { retryOutsideTransaction } from '@lensforge/database';
import type { Funding } from './funding.js';
import type { NewRun } from './insert-runs.js';
import { type AcceptedRun, writeRun } from './write-run.js';

/** A validated run with the credit limits that it counts against. */
export interface PreparedRun {
  run: NewRun;
  limits?: Funding['limits'];
}

export interface KeyedRequest {
  targetId: string;
  key: string | undefined;
  /** The members in which two requests with the same key must agree. */
  members: readonly unknown[];
  /** The effect of another request under a used key: an error, or the existing run. */
  onRepeat?: 'refuse' | 'existing' | undefined;
}

/**
 * Prepares and writes a run once per idempotency key. The run of the same request counts, even if what it refers to has
 * changed since.
 */
export async function acceptOnce(
  ctx: Context,
  request: KeyedRequest,
  prepare: (fingerprint: string) => Promise<PreparedRun>,
): Promise<AcceptedRun> {
  const fingerprint = request.key === undefined ? '' : hashMembers(request.members);
  const known = request.onRepeat === 'existing' ? undefined : fingerprint;
  if (request.onRepeat === 'existing') {
    const earlier = await runOfKey(ctx, request, known);
    if (earlier) return earlier;
  }
  try {
    const { run, limits } = await retryOutsideTransaction(ctx, () => prepare(fingerprint));
    return await writeRun(ctx, run, limits);
  } catch (reason) {
    const earlier = reason instanceof DomainError ? await runOfKey(ctx, request, known) : undefined;
    if (earlier) return earlier;
    throw reason;
  }
}

/** Finds the run of an idempotency key; with a fingerprint only if the request was the same. */
async function runOfKey(
  ctx: Context,
  { targetId, key }: KeyedRequest,
  fingerprint: string | undefined,
): Promise<AcceptedRun | undefined> {
  if (key === undefined) return undefined;
  const [run] = await ctx.db.query<AcceptedRun[]>(
    `select r.id as "runId", r.status, false as "isNew" from idempotency_keys k join runs r on r.id = k.run_id
      where k.account_id = $1 and k.target_id = $2 and k.key = $3 and k.expires_at > now()
        and ($4::text is null or k.fingerprint = decode($4, 'hex'))`,
    [ctx.actor.accountId, targetId, key, fingerprint ?? null],
  );
  return run;
}

/** SHA-256 of the members in hex, whatever the order of their own members. */
export const hashMembers = (members: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(members, sortedMembers));

function sortedMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
