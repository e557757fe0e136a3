import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { Lens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import {
  type LensRunOrder,
  acceptLensRun,
  accountsWithWaitingRuns,
  admitRuns,
  admitWaiting,
  cancelRun,
  claimRuns,
  countQueuedRuns,
  countWaiting,
  finishAndContinue,
  finishRuns,
  limitRuns,
  queuedRuns,
  reconcileRuns,
  requeueRun,
  restoreJobs,
  startDueRuns,
} from '../index.js';
import { type Insertion, type NewRun, insertRuns } from '../accept/insert-runs.js';
import { getAcceptance } from '../accept/batching/acceptance.js';
import { Run } from '../run.entity.js';
import { aFinish } from '../testing.js';

const limits = { atOnce: 4, backlog: 1000, queueMs: 3_600_000 };
let database: RunsDatabase;
let lens: Lens;

beforeAll(async () => {
  database = await openRunsDatabase();
  lens = await aLens(database.ctx);
});
afterEach(async () => {
  limitRuns(database.source, limits);
  expect(await database.faults()).toEqual([]);
  await database.source.query(
    `update runs set status = 'canceled', completed_at = now(), lease_until = null where completed_at is null`,
  );
  await database.source.query('delete from outbox');
});
afterAll(() => database.close());

const db = () => database.source.manager;
const load = (id: string) => db().findOneByOrFail(Run, { id });
const start = (who: Context, more: Partial<LensRunOrder> = {}) =>
  acceptLensRun(who, { lensId: lens.id, params: { Name: 'Ada' }, timeoutMs: 60_000, ...more });
const startMany = async (who: Context, count: number) => {
  const ids = [];
  for (let index = 0; index < count; index += 1) ids.push((await start(who)).runId);
  return ids;
};
const inFlight = async (who: Context) =>
  (
    await db().query<[{ n: number }]>(
      `select count(*)::int as n from runs where account_id = $1 and completed_at is null and admitted_at is not null`,
      [who.actor.accountId],
    )
  )[0].n;
const admit = async (...who: Context[]) => {
  database.changes.take();
  await admitRuns(
    database.platform,
    who.map(({ actor }) => actor.accountId),
  );
  return database.changes.take().jobs.map(({ payload, priority }) => ({ runId: payload['runId'] as string, priority }));
};
const anAccount = async () => {
  limitRuns(database.source, limits);
  return database.anAccount();
};
const settle = () => reconcileRuns(database.platform, { maxLost: 3, cancelGraceMs: 10_000, limit: 100 });

describe('acceptLensRun', () => {
  it('writes a job while the account has free slots; otherwise the run waits', async () => {
    const who = await anAccount();
    const ids = await startMany(who, 6);
    const runs = await Promise.all(ids.map(load));
    expect(runs.map(({ waitsFor }) => waitsFor)).toEqual([null, null, 'slot', 'slot', 'slot', 'slot']);
    for (const { id, admittedAt, waitsFor } of runs) {
      expect([admittedAt === null, await database.outboxOf(id)]).toEqual([
        waitsFor === 'slot',
        waitsFor === 'slot' ? [] : [expect.objectContaining({ jobId: `${id}-g0` })],
      ]);
    }
    expect(await admit(who)).toEqual([
      { runId: ids[2], priority: 2 },
      { runId: ids[3], priority: 3 },
    ]);
    expect(await admit(who)).toEqual([]);
    await cancelRun(who, ids[0] as string);
    expect(await admit(who)).toEqual([{ runId: ids[4], priority: 3 }]);
    expect(await database.outboxOf(ids[4] as string)).toEqual([
      { job: 'run.execute', jobId: `${ids[4]}-g0`, payload: { runId: ids[4], generation: 0 } },
    ]);
  });

  it('assigns half of all slots, and then a quarter of the free ones at a time', async () => {
    const who = await anAccount();
    limitRuns(database.source, { ...limits, atOnce: 16 });
    const runs = await Promise.all((await startMany(who, 16)).map(load));
    // From 13 runs, less than four slots are free.
    expect(runs.filter(({ waitsFor }) => waitsFor === null)).toHaveLength(13);
  });

  it('does not admit a run before those that wait already', async () => {
    const who = await anAccount();
    const ids = await startMany(who, 3);
    for (const id of ids.slice(0, 2)) await cancelRun(who, id);
    database.changes.take();
    await start(who);
    expect(database.changes.take()).toMatchObject({
      jobs: [],
      toAdmit: [{ accountId: who.actor.accountId, concurrencyKey: null }],
    });
    expect((await admit(who)).map(({ runId }) => runId)[0]).toBe(ids[2]);
  });

  it('gives the first run of an account priority over the later runs of others', async () => {
    const [a, b] = [await anAccount(), await anAccount()];
    await startMany(a, 10);
    await admit(a);
    const { runId } = await start(b);
    expect(database.changes.takeJob(runId)).toMatchObject({ priority: null });
    const jobs = await db().query<{ priority: number | null }[]>(
      'select priority from outbox order by priority nulls first',
    );
    expect(jobs.map(({ priority }) => priority)).toEqual([null, null, 1, 2, 3]);
  });

  it('admits the runs that wait when the first run ends', async () => {
    const [who, other] = [await anAccount(), await anAccount()];
    const ids = await startMany(who, 8);
    await admit(who);
    const { runId: alone } = await start(other);
    database.changes.take();
    await cancelRun(other, alone);
    expect(database.changes.take().toAdmit).toEqual([]);
    await cancelRun(who, ids[0] as string);
    expect(database.changes.take().toAdmit).toEqual([{ accountId: who.actor.accountId, concurrencyKey: null }]);
    expect((await admit(who)).map(({ runId }) => runId)).toEqual([ids[4]]);
  });

  it('passes the slots of finished runs to waiting ones, the longest-waiting first', async () => {
    const who = await anAccount();
    const other = await anAccount();
    const ids = await startMany(who, 8);
    await admit(who);
    // Slots are passed on by the end of a run once an end has found that runs wait.
    await cancelRun(other, (await startMany(other, 6))[0] as string);
    const finish = async (some: readonly string[]) => {
      const claims = some.map((runId) => ({ runId, generation: 0, worker: 'w', leaseMs: 1000 }));
      const runs = (await claimRuns(database.platform, claims)).flatMap((run) => run ?? []);
      database.changes.take();
      await finishRuns(
        database.platform,
        runs.map((run) => aFinish(run)),
      );
      const { jobs, toAdmit } = database.changes.take();
      return { admitted: jobs.map(({ payload, priority }) => [payload['runId'], priority]), toAdmit: toAdmit.length };
    };
    const [, , , , e, f, g, h] = ids;
    const first = await finish(ids.slice(0, 3));
    expect(first).toEqual({
      admitted: [
        [e, 1],
        [f, 2],
        [g, 3],
      ],
      toAdmit: 0,
    });
    expect(await inFlight(who)).toBe(4);
    expect(await finish([e, f] as string[])).toEqual({ admitted: [[h, 2]], toAdmit: 2 });
    expect(await inFlight(who)).toBe(3);
  });

  it('claims runs that get a slot for the worker that ended others, at most one for each that may continue', async () => {
    const who = await anAccount();
    const other = await anAccount();
    const ids = await startMany(who, 8);
    await admit(who);
    await cancelRun(other, (await startMany(other, 6))[0] as string);
    const claims = ids.slice(0, 3).map((runId) => ({ runId, generation: 0, worker: 'w', leaseMs: 1000 }));
    const runs = (await claimRuns(database.platform, claims)).flatMap((run) => run ?? []);
    await database.source.query(`update runs set deadline_at = now() - interval '1 s' where id = $1`, [ids[5]]);
    database.changes.take();
    const finished = await finishAndContinue(
      database.platform,
      runs.map((run, index) => ({ ...aFinish(run), mayContinue: index > 0 })),
      { worker: 'continuing', leaseMs: 60_000 },
    );
    expect(finished.map(({ stored, next }) => [stored !== undefined, next?.id])).toEqual([
      [true, undefined],
      [true, ids[4]],
      [true, undefined],
    ]);
    const [next, late, queued] = await Promise.all(ids.slice(4, 7).map((id) => load(id)));
    expect(next).toMatchObject({
      status: 'running',
      attempt: 1,
      worker: 'continuing',
      waitsFor: null,
      lastSequence: 2,
    });
    expect(next!.leaseUntil!.getTime() - Date.now()).toBeGreaterThan(50_000);
    expect(finished[1]!.next).toMatchObject({ attempt: 1, sequence: 2, params: { Name: 'Ada' }, hold: 0 });
    const { jobs, events } = database.changes.take();
    expect(jobs.map(({ payload }) => payload['runId'])).toEqual([late!.id, queued!.id]);
    expect(late).toMatchObject({ status: 'queued', attempt: 0, worker: null, leaseUntil: null, startedAt: null });
    expect(events.filter(({ runId }) => runId === next!.id)).toMatchObject([
      { eventType: 'run.started', sequence: 2, payload: { attempt: 1 } },
    ]);
    expect(await inFlight(who)).toBe(4);
  });

  it('passes no slot on while an account has more runs than slots', async () => {
    const who = await anAccount();
    const ids = await startMany(who, 8);
    await admit(who);
    limitRuns(database.source, { ...limits, atOnce: 2 });
    const [run] = await claimRuns(database.platform, [
      { runId: ids[0] as string, generation: 0, worker: 'w', leaseMs: 1000 },
    ]);
    await finishRuns(database.platform, [aFinish(run!)]);
    expect(await inFlight(who)).toBe(3);
  });

  it('needs no slot for a run that a running run waits for', async () => {
    const who = await anAccount();
    const [id = ''] = await startMany(who, 8);
    const { modelId } = await load(id);
    const child: NewRun = {
      id: newId(),
      requestId: newId(),
      accountId: who.actor.accountId,
      kind: 'lens',
      targetId: lens.id,
      params: {},
      lensId: lens.id,
      lensVersionId: lens.headVersionId,
      modelId,
      fundingSource: null,
      hold: 0,
      key: null,
      timeoutMs: 1000,
      traceparent: null,
      fingerprint: 'ab'.repeat(32),
      outboxId: newId(),
      awaited: true,
    };
    const [inserted] = (await insertRuns(database.platform, [child], getAcceptance(database.platform))) as Insertion[];
    expect(inserted).toMatchObject({ isWritten: true, waitsFor: null });
  });

  it('lets a run of a local runner wait for the runner and not for a slot', async () => {
    const who = await anAccount();
    await startMany(who, 6);
    database.changes.take();
    const { runId } = await start(who, { fundingSource: 'user_byok_local' });
    expect(await load(runId)).toMatchObject({ waitsFor: 'runner', admittedAt: null });
    expect(database.changes.take()).toMatchObject({ jobs: [], toAdmit: [] });
  });
});

describe('insertRuns for an account with cached free slots', () => {
  const aNewRun = async (who: Context, more: Partial<NewRun> = {}): Promise<NewRun> => {
    const { runId } = await start(await anAccount());
    const { modelId } = await load(runId);
    return {
      id: newId(),
      requestId: newId(),
      accountId: who.actor.accountId,
      kind: 'lens',
      targetId: lens.id,
      lensId: lens.id,
      lensVersionId: lens.headVersionId,
      modelId,
      params: { Name: 'Ada' },
      fundingSource: null,
      hold: 0,
      key: null,
      timeoutMs: 60_000,
      traceparent: null,
      fingerprint: '',
      outboxId: newId(),
      ...more,
    };
  };
  const know = (who: Context) =>
    getAcceptance(database.platform).slots.record(who.actor.accountId, { taken: 7, free: 400 });
  const insert = async (run: NewRun) =>
    (await insertRuns(database.platform, [run], getAcceptance(database.platform)))[0] as Insertion;

  it.each([
    { hold: 0, queueMs: null },
    { hold: 5, queueMs: 1000, fundingSource: 'platform_credit' as const, traceparent: 'x' },
  ])('writes the same row as with a count: %j', async (more) => {
    const who = await anAccount();
    const [free, counted, known] = [await aNewRun(who, more), await aNewRun(who, more), await aNewRun(who, more)];
    expect(await insert(free)).toMatchObject({ isWritten: true, waitsFor: null, priority: null });
    getAcceptance(database.platform).slots.record(who.actor.accountId, { taken: 1, free: 0 });
    expect(await insert(counted)).toMatchObject({ isWritten: true, waitsFor: null, priority: 1 });
    know(who);
    expect(await insert(known)).toMatchObject({ isWritten: true, waitsFor: null, priority: 7 });
    const rows = async ({ id, requestId, outboxId }: NewRun) => {
      const [{ row }] = await db().query<[{ row: object }]>(
        `select jsonb_build_object('run', to_jsonb(r), 'waited', deadline_at - queued_at,
                'events', (select jsonb_agg(to_jsonb(e) - 'occurred_at' order by sequence) from run_events e where run_id = r.id),
                'job', (select to_jsonb(o) from outbox o where id = $2)) as row from runs r where r.id = $1`,
        [id, outboxId],
      );
      const names = new Map([id, requestId, outboxId].map((name, index) => [name, `id ${index}`]));
      const times = /"\d{4}-\d\d-\d\dT[^"]*"/g;
      let text = JSON.stringify(row)
        .replace(times, '"a time"')
        .replace(/"priority":(null|1|7)/, '"priority":"any"');
      for (const [name, word] of names) text = text.replaceAll(name, word);
      return JSON.parse(text) as unknown;
    };
    expect(await rows(known)).toEqual(await rows(counted));
    expect(await rows(free)).toEqual(await rows(counted));
    await database.source.query(
      `update runs set credit_hold = 0, billing_status = 'none' where billing_status = 'reserved'`,
    );
  });

  it('lets a run that awaits its approval wait', async () => {
    const who = await anAccount();
    know(who);
    expect(await insert(await aNewRun(who, { awaitsApproval: true }))).toMatchObject({ waitsFor: 'approval' });
  });

  it('returns the stored run when it is repeated after a lost response', async () => {
    const who = await anAccount();
    const run = await aNewRun(who);
    for (const isWritten of [true, false]) {
      know(who);
      expect(await insert(run)).toMatchObject({ runId: run.id, isNew: true, isWritten });
    }
    expect(await database.outboxOf(run.id)).toHaveLength(1);
  });

  it('counts the runs if the new one may have to wait', async () => {
    const who = await anAccount();
    const waits: [Partial<NewRun>, string | null][] = [
      [{ delayMs: 60_000 }, 'time'],
      [{ fundingSource: 'user_byok_local' }, 'runner'],
      [{ concurrencyKey: 'k', concurrencyStrategy: 'queue' }, null],
      [{ concurrencyKey: 'k', concurrencyStrategy: 'queue' }, 'key'],
    ];
    for (const [more, waitsFor] of waits) {
      know(who);
      expect(await insert(await aNewRun(who, more))).toMatchObject({ isWritten: true, waitsFor });
    }
  });
});

describe('concurrency slots', () => {
  it('are never exceeded while runs start, end and are admitted concurrently', async () => {
    const who = await anAccount();
    const seen: number[] = [];
    const ended = new Set<string>();
    database.changes.take();
    const end = async (ids: readonly string[]) => {
      for (const id of ids) {
        seen.push(await withDbRetry(() => inFlight(who)));
        await withDbRetry(() => cancelRun(who, id));
        ended.add(id);
        await admitRuns(database.platform, [who.actor.accountId]);
        await end(admitted());
      }
    };
    const admitted = () => database.changes.take().jobs.map(({ payload }) => payload['runId'] as string);
    const accepted = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const { runId } = await start(who);
        await admitWaiting(database.platform, [{ accountId: who.actor.accountId, concurrencyKey: null }]);
        await end(admitted());
        return runId;
      }),
    );
    expect([...ended].sort()).toEqual(accepted.sort());
    expect(Math.max(...seen)).toBeLessThanOrEqual(limits.atOnce);
    expect(await inFlight(who)).toBe(0);
  });

  it('go to the runs that have waited longest; each point of priority counts as a minute', async () => {
    const who = await anAccount();
    const [first = '', second = ''] = await startMany(who, 2);
    const names = new Map<string, string>();
    const wait = async (name: string, priority: number, minutes: number) => {
      const { runId } = await start(who, { priority });
      await database.set(runId, `order_at = order_at - interval '${minutes} minutes'`);
      names.set(runId, name);
    };
    await wait('plain', 0, 0);
    await wait('urgent', 10, 0);
    await wait('old', 0, 5);
    await wait('somewhat urgent', 4, 0);
    await wait('older than urgent', 0, 11);
    await wait('can wait', -10, 0);
    await cancelRun(who, first);
    await cancelRun(who, second);
    const order = [];
    for (let ids = await admit(who); ids.length > 0; ids = await admit(who)) {
      for (const { runId } of ids) {
        order.push(names.get(runId));
        await cancelRun(who, runId);
      }
    }
    expect(order).toEqual(['older than urgent', 'urgent', 'old', 'somewhat urgent', 'plain', 'can wait']);
  });

  it('are assigned for several accounts in one call, which accountsWithWaitingRuns finds', async () => {
    const [a, b, c] = [await anAccount(), await anAccount(), await anAccount()];
    for (const who of [a, b]) await startMany(who, 3);
    await startMany(c, 1);
    await start(c, { delaySeconds: 60 });
    const found = [];
    for (let after: string | null = null; ;) {
      const { accountIds, last } = await accountsWithWaitingRuns(database.platform, { after, limit: 1 });
      found.push(...accountIds);
      if (last === null) break;
      after = last;
    }
    expect(found.sort()).toEqual([a, b].map(({ actor }) => actor.accountId).sort());
    database.changes.take();
    await admitRuns(database.platform, found);
    expect(database.changes.take().jobs).toHaveLength(2);
    expect(await accountsWithWaitingRuns(database.platform, { after: null, limit: 10 })).toEqual({
      accountIds: [],
      last: null,
    });
    expect(await countWaiting(database.platform)).toEqual({ time: 1, key: 0, slot: 0, runner: 0, report: 0 });
  });
});

describe('a delayed run', () => {
  const due = (id: string) => database.set(id, `not_before = now() - interval '1 s'`);

  it('waits for its time and then for a slot, and its queue deadline counts from its due time', async () => {
    const who = await anAccount();
    const { runId } = await start(who, { delaySeconds: 600, expiresInSeconds: 60, priority: 2 });
    const { waitsFor, notBefore, deadlineAt, orderAt, createdAt } = await load(runId);
    expect([waitsFor, database.changes.takeJob(runId)]).toEqual(['time', undefined]);
    expect((notBefore as Date).getTime() - createdAt.getTime()).toBe(600_000);
    expect(deadlineAt.getTime() - createdAt.getTime()).toBe(660_000);
    expect(orderAt.getTime() - createdAt.getTime()).toBe(480_000);
    expect(await startDueRuns(database.platform, { limit: 10 })).toBe(0);
    expect(await admit(who)).toEqual([]);
    await due(runId);
    expect(await startDueRuns(database.platform, { limit: 10 })).toBe(1);
    expect(await admit(who)).toEqual([{ runId, priority: null }]);
  });

  it('starts at its start time, and at once when that is in the past', async () => {
    const who = await anAccount();
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await load((await start(who, { startAt })).runId)).notBefore?.toISOString()).toBe(startAt);
    const { runId } = await start(who, { startAt: '2020-01-01T00:00:00Z' });
    expect([(await load(runId)).notBefore, database.changes.takeJob(runId)]).toEqual([null, expect.any(Object)]);
  });
});

describe('a waiting run', () => {
  it('is canceled at once, and times out by its deadline', async () => {
    const who = await anAccount();
    const [, , third = '', fourth = ''] = await startMany(who, 4);
    expect(await cancelRun(who, third)).toMatchObject({ status: 'canceled' });
    await database.set(fourth, `deadline_at = now() - interval '1 s'`);
    await settle();
    expect(await database.statusOf(fourth)).toBe('timed_out');
    expect(await admit(who)).toEqual([]);
  });

  it('is not restored as a lost job', async () => {
    const who = await anAccount();
    const ids = await startMany(who, 4);
    await db().query('delete from outbox');
    for (const id of ids) await database.set(id, `queued_at = now() - interval '1 h'`);
    await database.source.query(`update runs set admitted_at = now() - interval '1 h' where admitted_at is not null`);
    expect(await countQueuedRuns(database.platform, { olderThanMs: 1000 })).toBe(2);
    const listed = await queuedRuns(database.platform, { after: null, olderThanMs: 1000, limit: 10 });
    expect(listed.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(await restoreJobs(database.platform, [{ id: ids[3] as string, generation: 0 }])).toBe(0);
    await admit(who);
    const later = await queuedRuns(database.platform, { after: null, olderThanMs: 1000, limit: 10 });
    expect(later.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  });

  it('has the default queue deadline, and its execution deadline from the start on', async () => {
    const who = await anAccount();
    const { runId } = await start(who, { timeoutSeconds: 30 });
    const { deadlineAt, createdAt } = await load(runId);
    expect(deadlineAt.getTime() - createdAt.getTime()).toBe(limits.queueMs);
    const claim = (generation: number) =>
      claimRuns(database.platform, [{ runId, generation, worker: 'w', leaseMs: 1000 }]);
    const [run] = await claim(0);
    expect(run?.msToDeadline).toBe(30_000);
    const executing = (await load(runId)).deadlineAt;
    await requeueRun(database.platform, { runId, attempt: 1, reason: 'x', lost: true });
    await claim(1);
    expect((await load(runId)).deadlineAt).toEqual(executing);
  });
});

describe('the backlog of an account', () => {
  it('refuses further runs with the reason, but still returns the run of a used idempotency key', async () => {
    const [who, other] = [await anAccount(), await anAccount()];
    limitRuns(database.source, { atOnce: 4, backlog: 5 });
    const first = await start(who, { idempotencyKey: 'first' });
    await startMany(who, 3);
    await start(who, { delaySeconds: 60 });
    const before = await database.rowsIn('idempotency_keys');
    await expect(start(who, { idempotencyKey: 'one more' })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: 'This account has 5 runs that have not ended, which is the limit; wait until some have ended',
      details: { reason: 'backlog', limit: 5, retryAfter: expect.any(Number) },
    });
    expect(await database.rowsIn('idempotency_keys')).toBe(before);
    expect(await start(who, { idempotencyKey: 'first' })).toEqual({
      runId: first.runId,
      status: 'queued',
      isNew: false,
    });
    await expect(start(other)).resolves.toMatchObject({ status: 'queued' });
    await cancelRun(who, first.runId);
    await expect(start(who, { idempotencyKey: 'one more' })).resolves.toMatchObject({ status: 'queued' });
  });

  it('is cached for a moment for runs without an idempotency key', async () => {
    const who = await anAccount();
    const first = await start(who, { idempotencyKey: 'first' });
    const isFull = jest.spyOn(getAcceptance(database.platform).slots, 'isFull').mockReturnValue(true);
    await expect(start(who)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(await start(who, { idempotencyKey: 'first' })).toEqual({
      runId: first.runId,
      status: 'queued',
      isNew: false,
    });
    await expect(start(who, { idempotencyKey: 'another' })).resolves.toMatchObject({ status: 'queued' });
    isFull.mockRestore();
    await expect(start(who)).resolves.toMatchObject({ status: 'queued' });
  });

  it('accepts as many concurrent runs as fit', async () => {
    const who = await anAccount();
    limitRuns(database.source, { atOnce: 4, backlog: 5 });
    const settled = await Promise.allSettled(Array.from({ length: 9 }, () => start(who)));
    const fulfilled = settled.filter(({ status }) => status === 'fulfilled');
    expect(fulfilled.length).toBeGreaterThanOrEqual(5);
    await expect(start(who)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});

describe('run options', () => {
  it('are stored with the run', async () => {
    const who = await anAccount();
    const metadata = { ticket: 7, nested: { a: [1] } };
    const { runId } = await start(who, {
      tags: ['a', 'b', 'a'],
      metadata,
      priority: 3,
      maxCredits: 5,
      timeoutSeconds: 9,
    });
    expect(await load(runId)).toMatchObject({
      tags: ['a', 'b'],
      metadata,
      priority: 3,
      creditLimit: '5',
      executionMs: 9000,
      batchId: null,
    });
  });

  it.each<[string, Partial<LensRunOrder>, string]>([
    ['notes that are too long', { metadata: { a: 'ä'.repeat(4100) } }, 'metadata'],
    ['two times to start', { startAt: '2030-01-01T00:00:00Z', delaySeconds: 1 }, 'startAt and delaySeconds'],
    ['a start that is too far ahead', { startAt: '2999-01-01T00:00:00Z' }, 'startAt'],
    ['more time than the platform gives', { timeoutSeconds: 61 }, 'timeoutSeconds must be at most 60'],
    ['a strategy for nothing', { concurrencyStrategy: 'queue' }, 'concurrencyStrategy'],
  ])('are refused: %s', async (_, more, word) => {
    const message: unknown = expect.stringContaining(word);
    await expect(start(await anAccount(), more)).rejects.toMatchObject({ code: 'BAD_INPUT', message });
  });

  it('refuse a run whose estimate exceeds maxCredits, with both numbers', async () => {
    const run = start(database.ctx, { modelOverride: database.pricey.key, maxCredits: 50 });
    const message: unknown = expect.stringMatching(/may cost \d+ credits; maxCredits allows 50/);
    await expect(run).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      message,
      details: { needed: expect.any(Number), limit: 50 },
    });
    const { runId } = await start(database.ctx, { modelOverride: database.pricey.key, maxCredits: 5000 });
    expect(Number((await load(runId)).creditHold)).toBeLessThanOrEqual(5000);
  });

  it('belong to the fingerprint of an idempotency key', async () => {
    const who = await anAccount();
    const { runId } = await start(who, { idempotencyKey: 'k', tags: ['a'], priority: 1 });
    expect(await start(who, { idempotencyKey: 'k', priority: 1, tags: ['a'] })).toMatchObject({ runId });
    await expect(start(who, { idempotencyKey: 'k', tags: ['a'] })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });
});
