import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ConcurrencyStrategy } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import type { Lens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import {
  type AcceptedRun,
  type LensRunOrder,
  acceptLensRun,
  acceptWorkflowRun,
  admitRuns,
  admitWaiting,
  cancelRun,
  claimRuns,
  dropStaleClaims,
  endRun,
  finishRuns,
  limitRuns,
  passClaims,
  reconcileRuns,
  retryRun,
  startDueRuns,
  unclaimedKeys,
} from '../index.js';
import { keyWithin, toRequestedKey } from './concurrency-keys.js';
import { Run } from '../run.entity.js';
import { aFinish } from '../testing.js';

const limits = { atOnce: 100, backlog: 1000 };
let database: RunsDatabase;
let lens: Lens;
let who: Context;

beforeAll(async () => {
  database = await openRunsDatabase();
  limitRuns(database.source, limits);
  lens = await aLens(database.ctx);
  who = database.ctx;
});
afterEach(async () => {
  expect(await database.faults()).toEqual([]);
  await database.source.query(
    `update runs set status = 'canceled', completed_at = now(), lease_until = null
      where completed_at is null and (waits_for is distinct from 'key')`,
  );
  await database.source.query(
    `update runs set status = 'canceled', completed_at = now(), lease_until = null where completed_at is null`,
  );
  await database.source.query('delete from outbox');
  await database.source.query('delete from concurrency_claims');
});
afterAll(() => database.close());

const db = () => database.source.manager;
const load = (id: string) => db().findOneByOrFail(Run, { id });
const word = 'customer 7';
const storedKey = (key: string, { id } = lens): string => keyWithin(id, key);
const start = (strategy?: ConcurrencyStrategy, more: Partial<LensRunOrder> = {}, ctx = who): Promise<AcceptedRun> =>
  acceptLensRun(ctx, {
    lensId: lens.id,
    params: { Name: 'Ada' },
    timeoutMs: 60_000,
    concurrencyKey: word,
    ...(strategy && { concurrencyStrategy: strategy }),
    ...more,
  });
const claim = async (runId: string) => {
  const [run] = await claimRuns(database.platform, [{ runId, generation: 0, worker: 'w', leaseMs: 60_000 }]);
  if (!run) throw new Error('the run could not be claimed');
  return run;
};
/** Returns the open runs that hold the key. */
const holders = async () =>
  (
    await db().query<{ id: string }[]>(
      `select id from runs where concurrency_key = $1 and completed_at is null and (admitted_at is not null or waits_for = 'slot')`,
      [storedKey(word)],
    )
  ).map(({ id }) => id);
const admit = async () => {
  database.changes.take();
  await admitRuns(database.platform, [who.actor.accountId]);
  return database.changes.take().jobs;
};
/** Starts a run and returns what it changed. */
const changesOfStart = async (...options: Parameters<typeof start>) => {
  database.changes.take();
  return { ...(await start(...options)), ...database.changes.take() };
};
const stateOf = async (id: string) => {
  const { status, waitsFor } = await load(id);
  return status === 'queued' ? `queued for ${waitsFor ?? 'a worker'}` : status;
};

describe('a concurrency key', () => {
  it('is held by one of many concurrent runs; the others follow one by one in order', async () => {
    const others = await Promise.all(
      [1, 2].map(() => openDatabase({ url: database.url, applicationName: 'other', poolSize: 3 })),
    );
    const gateways = [who, ...others.map(({ manager }) => ({ ...who, db: manager }))];
    const accepted = await Promise.all(
      Array.from({ length: 200 }, (_, index) => start(undefined, {}, gateways[index % gateways.length])),
    );
    await Promise.all(others.map((other) => other.destroy()));
    const ids = accepted.map(({ runId }) => runId);
    expect(await holders()).toHaveLength(1);
    const order: string[] = [];
    for (let current = await holders(); current.length > 0; current = await holders()) {
      expect(current).toHaveLength(1);
      order.push(...current);
      if (order.length === 20) break;
      await admit();
      await cancelRun(who, current[0] as string);
    }
    const positions = await Promise.all(order.map(async (id) => (await load(id)).orderAt.getTime()));
    expect(positions.slice(1)).toEqual(positions.slice(1).sort((a, b) => a - b));
    expect(new Set(order).size).toBe(20);
    expect(ids).toEqual(expect.arrayContaining(order));
  });

  it('is held by one run while others start, end and are canceled concurrently', async () => {
    let most = 0;
    const strategies: (ConcurrencyStrategy | undefined)[] = ['queue', undefined, 'cancel-newest', 'cancel-in-progress'];
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const { runId } = await start(strategies[index % 4]);
        await admitWaiting(database.platform, [{ accountId: who.actor.accountId, concurrencyKey: storedKey(word) }]);
        most = Math.max(most, (await holders()).length);
        if (index % 3 === 0) {
          await cancelRun(who, runId).catch((reason: unknown) =>
            expect(reason).toMatchObject({ code: 'INVALID_TRANSITION' }),
          );
        }
      }),
    );
    expect(most).toBe(1);
    for (let left = await holders(); left.length > 0; left = await holders()) {
      expect(left).toHaveLength(1);
      await cancelRun(who, left[0] as string);
      await passClaims(database.platform, (await unclaimedKeys(database.platform, { after: null, limit: 10 })).free);
    }
    expect(await database.rowsIn('concurrency_claims')).toBe(0);
    expect(await db().countBy(Run, { concurrencyKey: storedKey(word), status: 'queued' })).toBe(0);
  });

  it('passes to the next run after any end of the holder', async () => {
    const ends: ((id: string) => Promise<unknown>)[] = [
      (id) => cancelRun(who, id),
      async (id) => finishRuns(database.platform, [aFinish(await claim(id))]),
      async (id) => {
        await database.set(id, `deadline_at = now() - interval '1 s'`);
        await reconcileRuns(database.platform, { maxLost: 3, cancelGraceMs: 1, limit: 10 });
      },
      (id) => endRun(database.platform, { runId: id, from: 'queued', status: 'canceled', reason: 'x' }),
    ];
    let { runId: before } = await start();
    for (const end of ends) {
      const { runId } = await start();
      expect(await stateOf(runId)).toBe('queued for key');
      await end(before);
      expect(await stateOf(runId)).toBe('queued for slot');
      expect(await admit()).toHaveLength(1);
      before = runId;
    }
    await cancelRun(who, before);
    expect(await database.rowsIn('concurrency_claims')).toBe(0);
  });

  it('does not block other keys, accounts, lenses and runs without a key', async () => {
    const other = await database.anAccount();
    const { id: lensId } = await aLens(who);
    const accepted = [
      await start(),
      await start(undefined, { concurrencyKey: 'another' }),
      await start(undefined, {}, other),
      await start(undefined, { lensId }),
      await acceptLensRun(who, { lensId: lens.id, params: { Name: 'Ada' }, timeoutMs: 60_000 }),
    ];
    const jobs = accepted.map(({ runId }) => database.changes.takeJob(runId)?.payload['runId']);
    expect(jobs).toEqual(accepted.map(({ runId }) => runId));
  });
});

describe.each(['queued', 'running'] as const)('when the holder is %s', (state) => {
  const aHolder = async () => {
    const { runId } = await start();
    if (state === 'running') await claim(runId);
    return runId;
  };

  it('a new run with queue waits for it', async () => {
    const holder = await aHolder();
    const { runId, status, jobs, toAdmit } = await changesOfStart('queue');
    expect([status, jobs, toAdmit]).toEqual([
      'queued',
      [],
      [{ accountId: who.actor.accountId, concurrencyKey: storedKey(word) }],
    ]);
    expect([await stateOf(runId), await holders()]).toEqual(['queued for key', [holder]]);
  });

  it('a new run with cancel-newest is accepted and canceled with a reason', async () => {
    const holder = await aHolder();
    const { runId, status, events } = await changesOfStart('cancel-newest', { idempotencyKey: newId() });
    expect(status).toBe('canceled');
    expect(events).toEqual([
      expect.objectContaining({
        runId,
        eventType: 'run.canceled',
        payload: { reason: 'another run with the same concurrency key has not ended' },
      }),
    ]);
    expect([await stateOf(runId), await holders()]).toEqual(['canceled', [holder]]);
  });

  it('a new run with cancel-in-progress cancels it and all waiting runs, and is next', async () => {
    const holder = await aHolder();
    const waiting = [await start(), await start()].map(({ runId }) => runId);
    const { runId, status, events, runsToStop } = await changesOfStart('cancel-in-progress');
    expect(status).toBe('queued');
    for (const id of waiting) expect(await stateOf(id)).toBe('canceled');
    if (state === 'queued') {
      expect(await stateOf(holder)).toBe('canceled');
      expect(runsToStop).toEqual([]);
      expect(events.map(({ runId }) => runId)).toEqual([...waiting, holder]);
    } else {
      expect(runsToStop).toEqual([holder]);
      expect(await load(holder)).toMatchObject({ status: 'running', cancelRequestedAt: expect.any(Date) });
      await endRun(database.platform, { runId: holder, from: 'running', status: 'canceled', reason: 'x' });
    }
    expect(await stateOf(runId)).toBe('queued for slot');
    expect((await admit()).map(({ payload }) => payload)).toEqual([{ runId, generation: 0 }]);
  });
});

describe('cancel-in-progress', () => {
  it('leaves one of several concurrent runs', async () => {
    await Promise.all(Array.from({ length: 20 }, () => start('cancel-in-progress')));
    await passClaims(database.platform, [{ accountId: who.actor.accountId, key: storedKey(word) }]);
    const left = await db().findBy(Run, { concurrencyKey: storedKey(word), status: 'queued' });
    expect(left).toHaveLength(1);
    expect(await holders()).toEqual(left.map(({ id }) => id));
  });

  it('does not cancel runs that are not due, and applies to a delayed run from its due time', async () => {
    const { runId: later } = await start('cancel-in-progress', { delaySeconds: 600 });
    const { runId: now } = await start('cancel-in-progress');
    expect([await stateOf(later), await stateOf(now)]).toEqual(['queued for time', 'queued for a worker']);
    const { runId: newest } = await start('cancel-newest', { delaySeconds: 600 });
    for (const id of [later, newest]) await database.set(id, `not_before = now() - interval '1 s'`);
    expect(await startDueRuns(database.platform, { limit: 10 })).toBe(2);
    expect(await Promise.all([later, now, newest].map(stateOf))).toEqual(['queued for slot', 'canceled', 'canceled']);
  });
});

describe('a delayed run with a concurrency key', () => {
  it('neither holds the key nor waits for it before its due time', async () => {
    const { runId } = await start(undefined, { delaySeconds: 600 });
    const { runId: now } = await start();
    await database.set(runId, `not_before = now() - interval '1 s'`);
    await startDueRuns(database.platform, { limit: 10 });
    expect(await Promise.all([runId, now].map(stateOf))).toEqual(['queued for key', 'queued for a worker']);
    await cancelRun(who, now);
    expect(await stateOf(runId)).toBe('queued for slot');
  });
});

describe('inconsistent claims', () => {
  it('are found: waiting runs of a free key, and claims of ended runs', async () => {
    const keys = ['a', 'b', 'c'];
    for (const concurrencyKey of keys) {
      await start(undefined, { concurrencyKey });
      await start(undefined, { concurrencyKey });
    }
    await db().query('delete from concurrency_claims where key <> $1', [storedKey('b')]);
    const accountId = who.actor.accountId;
    const pages = [];
    for (let after: { accountId: string; key: string } | null = null; ;) {
      const { free, last } = await unclaimedKeys(database.platform, { after, limit: 2 });
      pages.push(free.map(({ key }) => toRequestedKey(lens.id, key)));
      if (last === null) break;
      after = last;
    }
    expect(pages).toEqual([['a'], ['c']]);
    expect(
      await passClaims(
        database.platform,
        keys.map((key) => ({ accountId, key: storedKey(key) })),
      ),
    ).toHaveLength(2);
    await db().query(`insert into concurrency_claims values ($1, 'dead', $2)`, [accountId, newId()]);
    expect(await dropStaleClaims(database.platform)).toBe(1);
    expect(await database.rowsIn('concurrency_claims')).toBe(3);
  });
});

describe('workflow runs with a concurrency key', () => {
  const begin = (workflowId: string, strategy?: ConcurrencyStrategy) =>
    acceptWorkflowRun(who, {
      workflowId,
      inputs: {},
      concurrencyKey: word,
      ...(strategy && { concurrencyStrategy: strategy }),
    });

  it('execute one at a time; the next one continues when the holder has ended', async () => {
    const [{ id }, { id: other }] = [await aWorkflow(who), await aWorkflow(who)];
    const first = await begin(id);
    const next = await begin(id);
    const states = [first, next, await begin(other)].map(({ runId }) => stateOf(runId));
    expect(await Promise.all(states)).toEqual(['queued for a worker', 'queued for key', 'queued for a worker']);
    await cancelRun(who, first.runId);
    expect(await stateOf(next.runId)).toBe('queued for slot');
    await cancelRun(who, next.runId);
  });

  it('are canceled by a newer one with cancel-in-progress, and a retry has the same key', async () => {
    const { id } = await aWorkflow(who);
    const first = await begin(id);
    await claim(first.runId);
    const next = await begin(id, 'cancel-in-progress');
    expect([await stateOf(first.runId), await stateOf(next.runId)]).toEqual(['canceled', 'queued for slot']);
    const again = await retryRun(who, { runId: first.runId });
    expect(await stateOf(again.runId)).toBe('queued for key');
    expect((await begin(id, 'cancel-newest')).status).toBe('canceled');
  });

  it('are refused with a strategy but no key', async () => {
    const { id } = await aWorkflow(who);
    await expect(
      acceptWorkflowRun(who, { workflowId: id, inputs: {}, concurrencyStrategy: 'queue' }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});
