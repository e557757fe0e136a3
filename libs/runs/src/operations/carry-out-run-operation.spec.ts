import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunFilter, RunOperationState } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import { aContext } from '@lensforge/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import {
  type CountRun,
  type OperationParts,
  type RunOperationOrder,
  acceptWorkflowRun,
  cancelRunOperation,
  carryOutRunOperation,
  claimRuns,
  endRun,
  listRuns,
  readRunOperation,
  restoreRunOperations,
  startRunOperation,
} from '../index.js';
import { ChangeRecorder, aRun, aStoredRun } from '../testing.js';

let database: RunsDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await openRunsDatabase();
  ctx = await database.anAccount();
});
afterAll(async () => {
  expect(await database.faults()).toEqual([]);
  await database.close();
});

const partsWith = (overrides: Partial<OperationParts> = {}): OperationParts => ({
  onFault: () => undefined,
  signal: new AbortController().signal,
  leaseMs: 30_000,
  page: 3,
  pauseMs: 5000,
  countRun: () => Promise.resolve(undefined),
  ...overrides,
});

async function start(order: RunOperationOrder, who = ctx): Promise<string> {
  return (await startRunOperation(who, order)).id;
}
interface WorkOptions extends Partial<OperationParts> {
  generation?: number;
  /** Called after the commit of each run. */
  onChange?: () => void;
}
async function work(operationId: string, { generation = 0, onChange, ...overrides }: WorkOptions = {}): Promise<void> {
  database.changes.take();
  database.changes.onChange = onChange ?? (() => undefined);
  try {
    await carryOutRunOperation(database.platform, { operationId, generation }, partsWith(overrides));
  } finally {
    database.changes.onChange = () => undefined;
  }
}
async function carriedOut(order: RunOperationOrder, who = ctx): Promise<RunOperationState> {
  const id = await start(order, who);
  await work(id);
  return readRunOperation(who, id);
}
const set = (id: string, change: string) =>
  database.source.query(`update run_operations set ${change} where id = $1`, [id]);
const canceled = async (tags: readonly string[], who = ctx): Promise<string> => {
  const { runId } = await aRun(who, { tags: [...tags] });
  await endRun(database.platform, { runId, from: 'queued', status: 'canceled', reason: 'test' });
  return runId;
};
const children = async (filter: RunFilter = {}) =>
  (await listRuns(ctx, { limit: 100, ...filter })).items.filter(({ parentRunId }) => parentRunId !== null);

describe('carryOutRunOperation with cancel', () => {
  it('cancels each matching run once, and no other', async () => {
    const tag = newId();
    const runs = await Promise.all(Array.from({ length: 8 }, () => aStoredRun(ctx, { tags: [tag] })));
    await aStoredRun(ctx, { tags: [tag], status: 'succeeded' });
    const other = await aStoredRun(ctx);
    const strange = await aStoredRun(await database.anAccount(), { tags: [tag] });
    const id = await start({ action: 'cancel', filter: { tag: [tag] } });
    const late = await aStoredRun(ctx, { tags: [tag] });
    expect(await readRunOperation(ctx, id)).toMatchObject({
      status: 'queued',
      progress: { matched: 0, done: 0, failed: 0 },
      filter: { tag: [tag] },
      error: null,
      startedAt: null,
      completedAt: null,
    });
    await work(id);
    const { events, toAdmit } = database.changes.take();
    expect(toAdmit).toEqual([]);
    expect(events.map(({ runId, eventType }) => `${runId} ${eventType}`).toSorted()).toEqual(
      runs.map((run) => `${run} run.canceled`).toSorted(),
    );
    for (const run of runs) expect(await database.statusOf(run)).toBe('canceled');
    for (const run of [other, strange, late]) expect(await database.statusOf(run)).toBe('queued');
    expect(await readRunOperation(ctx, id)).toMatchObject({
      status: 'succeeded',
      progress: { matched: 8, done: 8, failed: 0 },
      startedAt: expect.any(String),
      completedAt: expect.any(String),
    });
    await work(id);
    expect(database.changes.take().events).toEqual([]);
  });

  it('asks the workers of running runs to stop', async () => {
    const tag = newId();
    const { runId } = await aRun(ctx, { tags: [tag] });
    await claimRuns(ctx, [{ runId, generation: 0, worker: 'w', leaseMs: 60_000 }]);
    const id = await start({ action: 'cancel', filter: { tag: [tag], status: ['running'] } });
    await work(id);
    expect(database.changes.take().runsToStop).toEqual([runId]);
    expect(await readRunOperation(ctx, id)).toMatchObject({ progress: { matched: 1, done: 1, failed: 0 } });
  });

  it('continues after a lost worker, whose later writes have no effect', async () => {
    const tag = newId();
    const runs = await Promise.all(Array.from({ length: 6 }, () => aStoredRun(ctx, { tags: [tag] })));
    const id = await start({ action: 'cancel', filter: { tag: [tag] } });
    const dying = await openDatabase({ url: database.url, applicationName: 'a process that dies' });
    let processed = 0;
    let death: Promise<void> | undefined;
    new ChangeRecorder(dying).onChange = () => {
      processed += 1;
      if (processed === 2) death = dying.destroy();
    };
    const dyingCtx = { ...database.platform, db: dying.manager };
    await expect(carryOutRunOperation(dyingCtx, { operationId: id, generation: 0 }, partsWith())).rejects.toThrow();
    await death;
    expect(await readRunOperation(ctx, id)).toMatchObject({ status: 'running', progress: { matched: 2, done: 2 } });
    expect(await restoreRunOperations(database.platform)).toBe(0);
    await set(id, `lease_until = now()`);
    expect(await restoreRunOperations(database.platform)).toBe(1);
    const jobs = await database.source.query<{ job_id: string }[]>(
      `select job_id from outbox where payload ->> 'operationId' = $1 order by id`,
      [id],
    );
    expect(jobs.map(({ job_id }) => job_id)).toEqual([`${id}-g0`, `${id}-g1`]);
    await work(id);
    expect(await readRunOperation(ctx, id)).toMatchObject({ status: 'queued' });
    await work(id, { generation: 1 });
    expect(await readRunOperation(ctx, id)).toMatchObject({
      status: 'succeeded',
      progress: { matched: 6, done: 6, failed: 0 },
    });
    for (const run of runs) expect(await database.typesOf(run)).toEqual(['run.queued', 'run.canceled']);
  });

  it('stops after the current run when another worker has taken the operation', async () => {
    const tag = newId();
    const runs = await Promise.all(Array.from({ length: 4 }, () => aStoredRun(ctx, { tags: [tag] })));
    const id = await start({ action: 'cancel', filter: { tag: [tag] } });
    const raised: Promise<unknown>[] = [];
    await work(id, { onChange: () => void raised.push(set(id, 'attempt = attempt + 1')), page: 1 });
    await Promise.all(raised);
    const { progress, status } = await readRunOperation(ctx, id);
    expect(status).toBe('running');
    const statuses = await Promise.all(runs.map(database.statusOf));
    expect(statuses.filter((one) => one === 'canceled').length).toBe(progress.done);
    expect(progress.done).toBeLessThan(4);
    await set(id, `status = 'canceled', completed_at = now(), lease_until = null`);
  });
});

describe('carryOutRunOperation with retry', () => {
  it('starts one new run for each, even if a page is processed twice', async () => {
    const tag = newId();
    const old = [await canceled([tag]), await canceled([tag]), await canceled([tag])];
    await aRun(ctx, { tags: [tag] });
    const id = await start({ action: 'retry', filter: { tag: [tag] } });
    await work(id);
    const { jobs } = database.changes.take();
    expect(await readRunOperation(ctx, id)).toMatchObject({
      status: 'succeeded',
      progress: { matched: 3, done: 3, failed: 0 },
    });
    const made = await children({ tag: [tag] });
    expect(made.map(({ parentRunId }) => parentRunId).toSorted()).toEqual(old.toSorted());
    expect(jobs.map(({ jobId }) => jobId).toSorted()).toEqual(made.map((run) => `${run.id}-g0`).toSorted());
    await set(id, `status = 'queued', completed_at = null, position = null, generation = 7`);
    await work(id, { generation: 7 });
    expect((await children({ tag: [tag] })).length).toBe(3);
  });

  it('counts refused runs with their error and continues', async () => {
    const who = await database.anAccount(150);
    const dear = async (): Promise<string> => {
      const { runId } = await aRun(who, { modelOverride: database.pricey.key });
      await endRun(database.platform, { runId, from: 'queued', status: 'canceled', reason: 'test' });
      return runId;
    };
    await dear();
    await dear();
    const operation = await carriedOut({ action: 'retry', filter: { status: ['canceled'] } }, who);
    expect(operation).toMatchObject({
      status: 'succeeded',
      progress: { matched: 2, done: 1, failed: 1 },
      error: { code: 'INSUFFICIENT_CREDITS', message: expect.any(String) },
    });
  });
});

describe('an operation of a token', () => {
  it('processes no run after the revocation of the token', async () => {
    const tag = newId();
    const runs = await Promise.all(Array.from({ length: 4 }, () => aStoredRun(ctx, { tags: [tag] })));
    const holder = { ...ctx, actor: { ...ctx.actor, credential: { kind: 'developer', id: newId() } } } as const;
    await database.source.query(
      `insert into api_tokens (id, kind, hash, prefix, account_id, label, scopes)
       values ($1::uuid, 'developer', sha256($1::uuid::text::bytea), 'lf_dev_x', $2, 'x', '{workflows:write}')`,
      [holder.actor.credential.id, ctx.actor.accountId],
    );
    const order: RunOperationOrder = { action: 'cancel', filter: { tag: [tag] } };
    const id = await start(order, holder);
    await database.source.query('update api_tokens set revoked_at = now() where id = $1', [holder.actor.credential.id]);
    await work(id);
    expect(await readRunOperation(ctx, id)).toMatchObject({
      status: 'failed',
      progress: { matched: 0 },
      error: { code: 'UNAUTHENTICATED', message: 'the token that started it was revoked' },
    });
    for (const run of runs) expect(await database.statusOf(run)).toBe('queued');
    expect(await carriedOut(order)).toMatchObject({ status: 'succeeded', progress: { done: 4 } });
  });
});

describe('the run rate limit of an account', () => {
  /** Allows some runs of each rate class, then refuses until a new window begins. */
  function windowOf(limit: number) {
    const counted: string[] = [];
    const countRun: CountRun = (accountId, rate) => {
      if (counted.length >= limit) return Promise.resolve({ limit, retryAfter: 30 });
      counted.push(`${accountId} ${rate}`);
      return Promise.resolve(undefined);
    };
    return { counted, countRun };
  }

  it('counts retries by kind; the operation waits for the next window without losing or repeating a run', async () => {
    const tag = newId();
    const lenses = await Promise.all(Array.from({ length: 3 }, () => canceled([tag])));
    const { id: workflowId } = await aWorkflow(ctx);
    const { runId: ofWorkflow } = await acceptWorkflowRun(ctx, { workflowId, inputs: {}, tags: [tag] });
    await endRun(database.platform, { runId: ofWorkflow, from: 'queued', status: 'canceled', reason: 'test' });
    const id = await start({ action: 'retry', filter: { tag: [tag] } });

    const [first, second] = [windowOf(3), windowOf(3)];
    await work(id, { countRun: first.countRun });
    const { accountId } = ctx.actor;
    expect(first.counted).toEqual([`${accountId} run`, `${accountId} execute`, `${accountId} execute`]);
    expect(await readRunOperation(ctx, id)).toMatchObject({
      status: 'queued',
      progress: { matched: 3, done: 3, failed: 0 },
      error: null,
    });
    const [waits] = await database.source.query<[{ seconds: number }]>(
      'select extract(epoch from queued_at - now())::float8 as seconds from run_operations where id = $1',
      [id],
    );
    expect(waits.seconds).toBeGreaterThan(25);
    expect(await restoreRunOperations(database.platform)).toBe(0);

    await work(id, { countRun: second.countRun, generation: 1 });
    expect(second.counted).toEqual([`${accountId} execute`]);
    expect(await readRunOperation(ctx, id)).toMatchObject({
      status: 'succeeded',
      progress: { matched: 4, done: 4, failed: 0 },
    });
    const parents = (await children({ tag: [tag] })).map(({ parentRunId }) => parentRunId);
    expect(parents.sort()).toEqual([...lenses, ofWorkflow].sort());
  });

  it('does not count cancellations', async () => {
    const tag = newId();
    await Promise.all(Array.from({ length: 3 }, () => aStoredRun(ctx, { tags: [tag] })));
    const id = await start({ action: 'cancel', filter: { tag: [tag] } });
    const { counted, countRun } = windowOf(0);
    await work(id, { countRun });
    expect(counted).toEqual([]);
    expect(await readRunOperation(ctx, id)).toMatchObject({ status: 'succeeded', progress: { done: 3 } });
  });
});

describe('a run operation', () => {
  it('is requeued when its worker stops, and continues', async () => {
    const tag = newId();
    await Promise.all(Array.from({ length: 3 }, () => aStoredRun(ctx, { tags: [tag] })));
    const id = await start({ action: 'cancel', filter: { tag: [tag] } });
    const leaving = new AbortController();
    await work(id, { signal: leaving.signal, onChange: () => leaving.abort() });
    expect(await readRunOperation(ctx, id)).toMatchObject({ status: 'queued', progress: { matched: 1 } });
    await work(id, { generation: 1 });
    expect(await readRunOperation(ctx, id)).toMatchObject({ status: 'succeeded', progress: { matched: 3, done: 3 } });
  });

  it('is canceled at once while queued, and after the current run while running', async () => {
    const tag = newId();
    await Promise.all(Array.from({ length: 3 }, () => aStoredRun(ctx, { tags: [tag] })));
    const waiting = await start({ action: 'cancel', filter: { tag: [tag] } });
    expect(await cancelRunOperation(ctx, waiting)).toMatchObject({
      status: 'canceled',
      completedAt: expect.any(String),
    });
    expect(await cancelRunOperation(ctx, waiting)).toMatchObject({ status: 'canceled' });
    await work(waiting);
    expect(await readRunOperation(ctx, waiting)).toMatchObject({ progress: { matched: 0 } });

    const working = await start({ action: 'cancel', filter: { tag: [tag] } });
    const cancellations: Promise<RunOperationState>[] = [];
    await work(working, { onChange: () => void cancellations.push(cancelRunOperation(ctx, working)), page: 1 });
    expect((await Promise.allSettled(cancellations))[0]).toMatchObject({ status: 'fulfilled' });
    const { status, progress } = await readRunOperation(ctx, working);
    expect(status).toBe('canceled');
    expect(progress.matched).toBeLessThanOrEqual(3);
    const done = await carriedOut({ action: 'cancel', filter: { tag: [tag] } });
    await expect(cancelRunOperation(ctx, done.id)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  it('fails after five lost workers, and is requeued when its job was lost', async () => {
    const id = await start({ action: 'cancel', filter: { tag: [newId()] } });
    await set(id, `queued_at = now() - interval '1 minute'`);
    expect(await restoreRunOperations(database.platform)).toBe(1);
    await set(id, `status = 'running', lease_until = now(), lost_attempts = 4`);
    expect(await restoreRunOperations(database.platform)).toBe(1);
    expect(await readRunOperation(ctx, id)).toMatchObject({ status: 'failed', error: { code: 'WORKER_LOST' } });
  });

  it('processes only kinds of runs that its creator may change', async () => {
    const tag = newId();
    const [lens, workflow] = [
      await aStoredRun(ctx, { tags: [tag] }),
      await aStoredRun(ctx, { tags: [tag], workflowId: newId() }),
    ];
    const reader = aContext(ctx.db, { accountId: ctx.actor.accountId, held: ['lenses:read', 'workflows:read'] });
    expect(await carriedOut({ action: 'cancel', filter: { tag: [tag] } }, reader)).toMatchObject({
      progress: { matched: 1 },
    });
    expect([await database.statusOf(lens), await database.statusOf(workflow)]).toEqual(['canceled', 'queued']);
    const judging = await aStoredRun(ctx, { tags: [tag], kind: 'judging' });
    const creator = aContext(ctx.db, { accountId: ctx.actor.accountId, held: ['community:write'] });
    expect(await carriedOut({ action: 'cancel', filter: { tag: [tag] } }, creator)).toMatchObject({
      progress: { matched: 1 },
    });
    expect([await database.statusOf(judging), await database.statusOf(workflow)]).toEqual(['canceled', 'queued']);
    await expect(start({ action: 'cancel', filter: { kind: 'workflow' } }, reader)).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
  });

  it.each<[string, RunOperationOrder]>([
    ['no member', { action: 'cancel', filter: {} }],
    ['a status that cannot be canceled', { action: 'cancel', filter: { status: ['queued', 'failed'] } }],
    ['a status that cannot be retried', { action: 'retry', filter: { status: ['succeeded'] } }],
    ['from with cancel', { action: 'cancel', filter: { kind: 'lens' }, from: 'start' }],
    [
      'no time at all',
      { action: 'retry', filter: { createdAfter: '2026-01-02T00:00:00Z', createdBefore: '2026-01-01T00:00:00Z' } },
    ],
  ])('is refused with %s', async (_, order) => {
    await expect(start(order)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  it('is one of at most ten, and invisible to other accounts', async () => {
    const who = await database.anAccount();
    const ids = await Promise.all(
      Array.from({ length: 10 }, () => start({ action: 'cancel', filter: { kind: 'lens' } }, who)),
    );
    await expect(start({ action: 'cancel', filter: { kind: 'lens' } }, who)).rejects.toMatchObject({
      code: 'THROTTLED',
    });
    await cancelRunOperation(who, ids[0]!);
    await start({ action: 'cancel', filter: { kind: 'lens' } }, who);
    await expect(readRunOperation(ctx, ids[1]!)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(cancelRunOperation(ctx, ids[1]!)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
