import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ConcurrencyStrategy } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import type { Lens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import type { RunsDatabase } from '../../test/runs-database.js';
import { entities, openRunsDatabase } from '../../test/runs-database.js';
import type { AcceptedRun, LensRunOrder } from '../index.js';
import {
  acceptLensRun,
  acceptWorkflowRun,
  admitRuns,
  admitWaiting,
  cancelRun,
  claimRuns,
  dropStaleClaims,
  endRun,
  finishRuns,
  unclaimedKeys,
  limitRuns,
  passClaims,
  reconcileRuns,
  retryRun,
  startDueRuns,
} from '../index.js';
import { keyWithin, requestedKeyOf } from './concurrency-keys.js';
import { Run } from '../run.entity.js';

const limits = { atOnce: 100, backlog: 1000 };
let books: RunsDatabase;
let lens: Lens;
let who: Context;

beforeAll(async () => {
  books = await openRunsDatabase();
  limitRuns(books.source, limits);
  lens = await aLens(books.ctx);
  who = books.ctx;
});
afterEach(async () => {
  expect(await books.faults()).toEqual([]);
  await books.source.query(
    `update runs set status = 'canceled', completed_at = now(), lease_until = null
      where completed_at is null and (waits_for is distinct from 'key')`,
  );
  await books.source.query(
    `update runs set status = 'canceled', completed_at = now(), lease_until = null where completed_at is null`,
  );
  await books.source.query('delete from outbox');
  await books.source.query('delete from run_turns');
});
afterAll(() => books.close());

const db = () => books.source.manager;
const load = (id: string) => db().findOneByOrFail(Run, { id });
const word = 'customer 7';
const within = (word: string, { id } = lens): string => keyWithin(id, word);
const start = (strategy?: ConcurrencyStrategy, more: Partial<LensRunOrder> = {}, ctx = who): Promise<AcceptedRun> =>
  acceptLensRun(ctx, {
    ...{ lensId: lens.id, params: { Name: 'Ada' }, timeoutMs: 60_000, concurrencyKey: word },
    ...(strategy && { concurrencyStrategy: strategy }),
    ...more,
  });
const claim = async (runId: string) => {
  const [run] = await claimRuns(books.platform, [{ runId, generation: 0, worker: 'w', leaseMs: 60_000 }]);
  if (!run) throw new Error('the run could not be claimed');
  return run;
};
/** Runs of the key that have a job or are on their way to one. */
const holders = async () =>
  (
    await db().query<{ id: string }[]>(
      `select id from runs where concurrency_key = $1 and completed_at is null and (admitted_at is not null or waits_for = 'place')`,
      [within(word)],
    )
  ).map(({ id }) => id);
const admit = () => admitRuns(books.platform, [who.actor.accountId]);
const stateOf = async (id: string) => {
  const { status, waitsFor } = await load(id);
  return status === 'queued' ? `queued for ${waitsFor ?? 'a worker'}` : status;
};

describe('of the runs of a concurrency key', () => {
  it('one has its turn, however many start at once, and the others follow one by one in their order', async () => {
    const others = await Promise.all(
      [1, 2].map(() => openDatabase({ url: books.url, entities, applicationName: 'other', poolSize: 3 })),
    );
    const gateways = [who, ...others.map(({ manager }) => ({ ...who, db: manager }))];
    const accepted = await Promise.all(
      Array.from({ length: 200 }, (_, index) => start(undefined, {}, gateways[index % gateways.length])),
    );
    await Promise.all(others.map((other) => other.destroy()));
    const ids = accepted.map(({ runId }) => runId);
    expect(accepted.filter(({ handOver }) => handOver)).toHaveLength(1);
    const order: string[] = [];
    for (let turn = await holders(); turn.length > 0; turn = await holders()) {
      expect(turn).toHaveLength(1);
      order.push(...turn);
      if (order.length === 20) break;
      await admit();
      await cancelRun(who, turn[0] as string);
    }
    const places = await Promise.all(order.map(async (id) => (await load(id)).placeAt.getTime()));
    expect(places.slice(1)).toEqual(places.slice(1).sort((a, b) => a - b));
    expect(new Set(order).size).toBe(20);
    expect(ids).toEqual(expect.arrayContaining(order));
  });

  it('one has its turn while they start, end and are canceled at once', async () => {
    let most = 0;
    const strategies: (ConcurrencyStrategy | undefined)[] = ['queue', undefined, 'cancel-newest', 'cancel-in-progress'];
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const { runId, waits } = await start(strategies[index % 4]);
        if (waits) await admitWaiting(books.platform, [waits]);
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
      await passClaims(books.platform, (await unclaimedKeys(books.platform, { after: null, limit: 10 })).free);
    }
    expect(await books.rowsIn('run_turns')).toBe(0);
    expect(await db().countBy(Run, { concurrencyKey: within(word), status: 'queued' })).toBe(0);
  });

  it('the next has its turn however the one before has ended', async () => {
    const ends: ((id: string) => Promise<unknown>)[] = [
      (id) => cancelRun(who, id),
      async (id) => {
        const { accountId, attempt, hold } = await claim(id);
        const nothing = { events: [], artifacts: [], tokenInput: 1, tokenOutput: 1, cost: 0, failure: null };
        await finishRuns(books.platform, [{ runId: id, accountId, workflowId: null, attempt, hold, ...nothing }]);
      },
      async (id) => {
        await books.set(id, `deadline_at = now() - interval '1 s'`);
        await reconcileRuns(books.platform, { maxLost: 3, cancelGraceMs: 1, limit: 10 });
      },
      (id) => endRun(books.platform, { runId: id, from: 'queued', status: 'canceled', reason: 'x' }),
    ];
    let { runId: before } = await start();
    for (const end of ends) {
      const { runId } = await start();
      expect(await stateOf(runId)).toBe('queued for key');
      await end(before);
      expect(await stateOf(runId)).toBe('queued for place');
      expect(await admit()).toHaveLength(1);
      before = runId;
    }
    await cancelRun(who, before);
    expect(await books.rowsIn('run_turns')).toBe(0);
  });

  it('none stands in the way of other keys, other accounts, other lenses and runs without one', async () => {
    const other = await books.anAccount();
    const { id: lensId } = await aLens(who);
    const accepted = [
      await start(),
      await start(undefined, { concurrencyKey: 'another' }),
      await start(undefined, {}, other),
      await start(undefined, { lensId }),
      await acceptLensRun(who, { lensId: lens.id, params: { Name: 'Ada' }, timeoutMs: 60_000 }),
    ];
    expect(accepted.map(({ handOver }) => handOver !== undefined)).toEqual([true, true, true, true, true]);
  });
});

describe.each(['queued', 'running'] as const)('when the one before is %s', (state) => {
  const aHolder = async () => {
    const { runId } = await start();
    if (state === 'running') await claim(runId);
    return runId;
  };

  it('a new one waits for it with queue', async () => {
    const holder = await aHolder();
    const { runId, status, handOver, waits } = await start('queue');
    expect([status, handOver, waits]).toEqual([
      'queued',
      undefined,
      { accountId: who.actor.accountId, concurrencyKey: within(word) },
    ]);
    expect([await stateOf(runId), await holders()]).toEqual(['queued for key', [holder]]);
  });

  it('a new one is accepted and canceled with cancel-newest, and says why', async () => {
    const holder = await aHolder();
    const { runId, status, others } = await start('cancel-newest', { idempotencyKey: newId() });
    expect(status).toBe('canceled');
    expect(others?.events).toEqual([
      expect.objectContaining({
        runId,
        eventType: 'run.canceled',
        payload: { reason: 'another run with the same concurrency key has not ended' },
      }),
    ]);
    expect([await stateOf(runId), await holders()]).toEqual(['canceled', [holder]]);
  });

  it('it is canceled with all that wait with cancel-in-progress, and the new one goes next', async () => {
    const holder = await aHolder();
    const waiting = [await start(), await start()].map(({ runId }) => runId);
    const { runId, status, others } = await start('cancel-in-progress');
    expect(status).toBe('queued');
    for (const id of waiting) expect(await stateOf(id)).toBe('canceled');
    if (state === 'queued') {
      expect(await stateOf(holder)).toBe('canceled');
      expect(others).toMatchObject({ runsToStop: [] });
      expect(others?.events.map(({ runId }) => runId)).toEqual([...waiting, holder]);
    } else {
      expect(others).toMatchObject({ runsToStop: [holder] });
      expect(await load(holder)).toMatchObject({ status: 'running', cancelRequestedAt: expect.any(Date) });
      await endRun(books.platform, { runId: holder, from: 'running', status: 'canceled', reason: 'x' });
    }
    expect(await stateOf(runId)).toBe('queued for place');
    expect((await admit()).map(({ payload }) => payload)).toEqual([{ runId, generation: 0 }]);
  });
});

describe('cancel-in-progress', () => {
  it('leaves one of those that come at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => start('cancel-in-progress')));
    await passClaims(books.platform, [{ accountId: who.actor.accountId, key: within(word) }]);
    const left = await db().findBy(Run, { concurrencyKey: within(word), status: 'queued' });
    expect(left).toHaveLength(1);
    expect(await holders()).toEqual(left.map(({ id }) => id));
  });

  it('does not cancel what is not due yet, and counts for a delayed run from its time on', async () => {
    const { runId: later } = await start('cancel-in-progress', { delaySeconds: 600 });
    const { runId: now } = await start('cancel-in-progress');
    expect([await stateOf(later), await stateOf(now)]).toEqual(['queued for time', 'queued for a worker']);
    const { runId: newest } = await start('cancel-newest', { delaySeconds: 600 });
    for (const id of [later, newest]) await books.set(id, `not_before = now() - interval '1 s'`);
    const { started } = await startDueRuns(books.platform, { limit: 10 });
    expect(started).toBe(2);
    expect(await Promise.all([later, now, newest].map(stateOf))).toEqual(['queued for place', 'canceled', 'canceled']);
  });
});

describe('a delayed run of a key', () => {
  it('neither has the turn nor waits for it before its time', async () => {
    const { runId } = await start(undefined, { delaySeconds: 600 });
    const { runId: now } = await start();
    await books.set(runId, `not_before = now() - interval '1 s'`);
    await startDueRuns(books.platform, { limit: 10 });
    expect(await Promise.all([runId, now].map(stateOf))).toEqual(['queued for key', 'queued for a worker']);
    await cancelRun(who, now);
    expect(await stateOf(runId)).toBe('queued for place');
  });
});

describe('what must not be', () => {
  it('is found: runs that wait though nobody has the turn, and turns of runs that have ended', async () => {
    const keys = ['a', 'b', 'c'];
    for (const concurrencyKey of keys) {
      await start(undefined, { concurrencyKey });
      await start(undefined, { concurrencyKey });
    }
    await db().query('delete from run_turns where key <> $1', [within('b')]);
    const accountId = who.actor.accountId;
    const pages = [];
    for (let after: { accountId: string; key: string } | null = null; ;) {
      const { free, last } = await unclaimedKeys(books.platform, { after, limit: 2 });
      pages.push(free.map(({ key }) => requestedKeyOf(lens.id, key)));
      if (last === null) break;
      after = last;
    }
    expect(pages).toEqual([['a'], ['c']]);
    expect(
      await passClaims(
        books.platform,
        keys.map((key) => ({ accountId, key: within(key) })),
      ),
    ).toHaveLength(2);
    await db().query(`insert into run_turns values ($1, 'dead', $2)`, [accountId, newId()]);
    expect(await dropStaleClaims(books.platform)).toBe(1);
    expect(await books.rowsIn('run_turns')).toBe(3);
  });
});

describe('of the runs of a workflow with a key', () => {
  const begin = (workflowId: string, strategy?: ConcurrencyStrategy) =>
    acceptWorkflowRun(who, {
      ...{ workflowId, inputs: {}, concurrencyKey: word },
      ...(strategy && { concurrencyStrategy: strategy }),
    });

  it('one has its turn; the next waits for it, and goes on when it has ended', async () => {
    const [{ id }, { id: other }] = [await aWorkflow(who), await aWorkflow(who)];
    const first = await begin(id);
    const next = await begin(id);
    expect((await begin(other)).handOver).toBeDefined();
    expect([first.handOver !== undefined, next.handOver, await stateOf(next.runId)]).toEqual([
      ...[true, undefined, 'queued for key'],
    ]);
    await cancelRun(who, first.runId);
    expect(await stateOf(next.runId)).toBe('queued for place');
    await cancelRun(who, next.runId);
  });

  it('one that runs makes way for a newer one that says so, and a retry has the same key', async () => {
    const { id } = await aWorkflow(who);
    const first = await begin(id);
    await claim(first.runId);
    const next = await begin(id, 'cancel-in-progress');
    expect([await stateOf(first.runId), await stateOf(next.runId)]).toEqual(['canceled', 'queued for place']);
    const again = await retryRun(who, { runId: first.runId });
    expect(await stateOf(again.runId)).toBe('queued for key');
    expect((await begin(id, 'cancel-newest')).status).toBe('canceled');
  });

  it('a strategy without a key is refused', async () => {
    const { id } = await aWorkflow(who);
    await expect(
      acceptWorkflowRun(who, { workflowId: id, inputs: {}, concurrencyStrategy: 'queue' }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});
