import { createHash } from 'node:crypto';
import type { LensExecuteRequest, RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError, gather, newId, requireScope } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import { inTransaction, rideOut } from '@lensforge/database';
import type { RunnableLens } from '@lensforge/lenses';
import { pinned, resolveTemplate, runnableLens } from '@lensforge/lenses';
import type { EntityManager } from 'typeorm';
import type { Insertion, NewRun } from './insert-runs.js';
import { insertRuns, outboxRowOf } from './insert-runs.js';
import { askedOfModel } from './asked-of-model.js';
import { fundRun, holdFor, lentKey, providerOf } from './funding.js';
import { chooseModel, estimateCost } from './models.js';

export interface LensRunOrder extends LensExecuteRequest {
  lensId: string;
  timeoutMs: number;
  /** The lens, where the read of it has begun already. */
  foreseen?: Promise<RunnableLens | undefined> | undefined;
}

export interface AcceptedRun {
  runId: string;
  status: RunStatus;
  /** What the caller hands to the queue now that the commit is done; absent when the run had been accepted before. */
  handOver?: OutboxRow;
}

/** Accepts the execution of a lens: one commit holds the run, its first event, its hold of credits and its job. */
export async function acceptLensRun(ctx: Context, order: LensRunOrder): Promise<AcceptedRun> {
  requireScope(ctx, 'lenses:read');
  const fingerprint = fingerprintOf(order);
  let run: NewRun;
  try {
    run = await prepare(ctx, order, fingerprint);
  } catch (reason) {
    const earlier = reason instanceof DomainError ? await repeated(ctx, order, fingerprint) : undefined;
    if (earlier) return earlier;
    throw reason;
  }
  const inserted = run.hold > 0 ? await insertWithHold(ctx, run) : await inserterOf(ctx.db)(run);
  if (inserted.fingerprint !== fingerprint) {
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'idempotencyKey: was used for another request in the last 24 hours: choose a new one',
    );
  }
  const { runId, status } = inserted;
  const queued = inserted.isNew && run.fundingSource !== 'user_byok_local';
  return queued ? { runId, status, handOver: outboxRowOf(run, ctx.now()) } : { runId, status };
}

/** Checks everything that can be checked before anything is written. */
async function prepare(ctx: Context, order: LensRunOrder, fingerprint: string): Promise<NewRun> {
  const key = await rideOut(() => lentKey(ctx, order));
  const newest = await foreseenLens(ctx, order);
  const { version } = order;
  const lens = version === undefined ? newest : await rideOut(() => pinned(ctx.db, newest, version));
  const { needs, params, images } = askedOfModel(order);
  const resolved = resolveTemplate(lens.templateBody, params);
  if ('missing' in resolved) {
    throw new DomainError('MISSING_PARAMS', `params: required and not given: ${resolved.missing.join(', ')}`, {
      missing: resolved.missing,
    });
  }
  const model = await rideOut(() => chooseModel(ctx.db, { ...order, ...providerOf(key, order), needs }));
  const estimate = estimateCost(model, resolved.prompt, { sampling: order.sampling, images: images.length });
  const funding = await rideOut(() => fundRun(ctx, { wish: order, key, lensId: lens.id, model, estimate }));
  return {
    id: newId(),
    requestId: ctx.requestId,
    accountId: ctx.actor.accountId,
    kind: 'lens',
    targetId: lens.id,
    lensId: lens.id,
    lensVersionId: lens.versionId,
    params: order.params,
    modelId: model.id,
    fundingSource: order.fundingSource ?? null,
    ...funding,
    outputSchema: order.outputSchema ?? null,
    sampling: order.sampling ?? null,
    timeoutMs: order.timeoutMs,
    traceparent: ctx.traceparent ?? null,
    key: order.idempotencyKey ?? null,
    fingerprint,
    outboxId: newId(),
  };
}

/** A read that began early is used once; when it failed, another takes its place. */
function foreseenLens(ctx: Context, { lensId, foreseen }: LensRunOrder): Promise<RunnableLens> {
  let begun = foreseen;
  return rideOut(() => {
    const read = begun;
    begun = undefined;
    return runnableLens(ctx, lensId, read);
  });
}

/** The run of the same request under the same key: it stands, even if the lens or the models have changed since. */
async function repeated(
  ctx: Context,
  { lensId, idempotencyKey }: LensRunOrder,
  fingerprint: string,
): Promise<AcceptedRun | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const [run] = await ctx.db.query<AcceptedRun[]>(
    `select r.id as "runId", r.status from run_keys k join runs r on r.id = k.run_id
      where k.account_id = $1 and k.target_id = $2 and k.key = $3 and k.fingerprint = decode($4, 'hex')
        and k.expires_at > now()`,
    [ctx.actor.accountId, lensId, idempotencyKey, fingerprint],
  );
  return run;
}

function fingerprintOf(order: LensRunOrder): string {
  const { params, modelOverride, providerOverride, fundingSource, byokKeyRefId, version } = order;
  const { outputSchema, sampling } = order;
  const members = [params, modelOverride, providerOverride, fundingSource, byokKeyRefId, ...(version ? [version] : [])];
  if (outputSchema ?? sampling) members.push({ outputSchema, sampling });
  return createHash('sha256').update(JSON.stringify(members, sortedMembers)).digest('hex');
}

function sortedMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** A run that costs is accepted in a transaction of its own, so that a refused hold refuses this run alone. */
function insertWithHold(ctx: Context, run: NewRun): Promise<Insertion> {
  return inTransaction(ctx, async (ctx) => {
    const [inserted] = await insertRuns(ctx.db, [run]);
    if (!inserted) throw new Error('nothing was inserted');
    if (inserted.isWritten) await holdFor(ctx, run);
    return inserted;
  });
}

type Insert = (run: NewRun) => Promise<Insertion>;
const inserters = new WeakMap<EntityManager, Insert>();

/** Concurrent acceptances share statement and commit; each caller is answered after the commit that holds its own run. */
function inserterOf(db: EntityManager): Insert {
  let insert = inserters.get(db);
  if (!insert) {
    insert = gather((runs: NewRun[]) => insertTogether(db, runs), { most: 100, atOnce: 2 });
    inserters.set(db, insert);
  }
  return insert;
}

async function insertTogether(db: EntityManager, runs: readonly NewRun[]): Promise<Insertion[]> {
  const leaders = new Map<string, NewRun>();
  for (const run of runs) {
    const name = keyOf(run);
    if (!leaders.has(name)) leaders.set(name, run);
  }
  const leading = [...leaders.values()];
  const inserted = await rideOut(() => insertRuns(db, leading));
  const byName = new Map([...leaders.keys()].map((name, index) => [name, inserted[index] as Insertion]));
  return runs.map((run) => {
    const name = keyOf(run);
    const outcome = byName.get(name) as Insertion;
    return leaders.get(name) === run ? outcome : { ...outcome, isNew: false };
  });
}

/** Runs of one key are one run. */
const keyOf = ({ id, key, accountId, targetId }: NewRun): string =>
  key === null ? id : `${accountId} ${targetId} ${key}`;
