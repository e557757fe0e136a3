import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { CreditAccount } from '@lensforge/credits';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import {
  appendEvents,
  cancelRun,
  claimRuns,
  expireLease,
  finishRuns,
  finishWithSettlement,
  reconcileRuns,
  releaseRuns,
} from '../index.js';
import { Run } from '../run.entity.js';
import { aFinish, aRun } from '../testing.js';

let database: RunsDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await openRunsDatabase();
  ctx = database.ctx;
});
afterEach(async () => {
  expect(await database.faults()).toEqual([]);
  await database.source.query(
    `update runs set status = 'canceled', completed_at = now(), lease_until = null, credit_hold = 0
      where completed_at is null and credit_hold = 0`,
  );
});
afterAll(() => database.close());

const db = () => database.source.manager;
const load = (id: string) => db().findOneByOrFail(Run, { id });
const limits = { maxLost: 5, cancelGraceMs: 10_000, limit: 200 };
const reconcile = async (more: Partial<typeof limits> = {}) => {
  database.changes.take();
  const { faults, ...counts } = await reconcileRuns(database.platform, { ...limits, ...more });
  const { events, toAdmit } = database.changes.take();
  return { events, faults, toAdmit, counts };
};
const counting = (counts: object) => ({ expired: 0, timedOut: 0, canceled: 0, givenUp: 0, ...counts });
const nothing = { events: [], faults: [], toAdmit: [], counts: counting({}) };
const claim = async (runId: string, generation: number) =>
  (await claimRuns(database.platform, [{ runId, generation, worker: 'w', leaseMs: 12_000 }]))[0];
const past = `now() - interval '1 ms'`;

describe('reconcileRuns', () => {
  it('leaves healthy runs unchanged', async () => {
    await aRun(ctx);
    await database.aClaimedRun();
    const asked = await database.aClaimedRun();
    await cancelRun(ctx, asked.id);
    await finishRuns(database.platform, [aFinish(await database.aClaimedRun())]);
    expect(await reconcile()).toEqual(nothing);
  });

  it('requeues a run with an expired lease under a new generation and with a job', async () => {
    const run = await database.aClaimedRun();
    await database.source.query('delete from outbox');
    await database.set(run.id, `lease_until = ${past}`);
    const { counts, events } = await reconcile();
    expect(counts).toEqual(counting({ expired: 1 }));
    expect(events).toEqual([
      {
        eventType: 'run.retrying',
        payload: { reason: 'the worker was lost', delayMs: 0 },
        occurredAt: expect.any(String),
        runId: run.id,
        sequence: 3,
      },
    ]);
    expect(await load(run.id)).toMatchObject({
      status: 'queued',
      generation: 1,
      attempt: 1,
      lostAttempts: 1,
      worker: null,
      leaseUntil: null,
    });
    expect(await database.outboxOf(run.id)).toEqual([
      { job: 'run.execute', jobId: `${run.id}-g1`, payload: { runId: run.id, generation: 1 } },
    ]);
    expect((await claim(run.id, 1))?.attempt).toBe(2);
  });

  it('isolates a run from the second lost worker on and fails it with the fifth', async () => {
    const who = await database.anAccount(1000);
    const run = await database.aClaimedRun(who, { credits: true });
    const lanes = [];
    for (let lost = 1; lost < 5; lost += 1) {
      await database.set(run.id, `lease_until = ${past}`);
      expect((await reconcile()).counts).toEqual(counting({ expired: 1 }));
      lanes.push((await database.outboxOf(run.id)).at(-1)?.job);
      expect((await claim(run.id, lost))?.attempt).toBe(lost + 1);
    }
    expect(lanes).toEqual(['run.execute', 'run.execute-isolated', 'run.execute-isolated', 'run.execute-isolated']);
    await database.set(run.id, `lease_until = ${past}`);
    const { counts, events } = await reconcile();
    expect(counts).toEqual(counting({ expired: 1, givenUp: 1 }));
    expect(events.map(({ eventType }) => eventType)).toEqual(['credits.released', 'run.failed']);
    expect(await load(run.id)).toMatchObject({
      status: 'failed',
      errorCode: 'WORKER_LOST',
      errorMessage: 'the worker was lost 5 times while it executed this run',
      billingStatus: 'released',
    });
    expect(await db().findOneBy(CreditAccount, { accountId: run.accountId })).toMatchObject({ available: '1000' });
  });

  it.each([
    ['queued', 2],
    ['running', 3],
  ])('ends a %s run at its deadline', async (status, sequence) => {
    const id = status === 'queued' ? (await aRun(ctx)).runId : (await database.aClaimedRun()).id;
    await database.set(id, `deadline_at = ${past}`);
    const { counts, events, toAdmit } = await reconcile();
    expect(counts).toEqual(counting({ timedOut: 1 }));
    expect(events).toEqual([expect.objectContaining({ eventType: 'run.timed_out', sequence })]);
    expect(toAdmit).toEqual([]);
    expect(await load(id)).toMatchObject({
      status: 'timed_out',
      errorCode: 'RUN_TIMED_OUT',
      errorMessage: 'the run did not end in time',
    });
  });

  it('ends a run at its deadline instead of retrying it', async () => {
    const run = await database.aClaimedRun();
    await database.set(run.id, `deadline_at = ${past}, lease_until = ${past}`);
    expect((await reconcile()).counts).toEqual(counting({ timedOut: 1 }));
  });

  it('cancels a run whose worker does not stop, after the grace period or once it is lost', async () => {
    const [waiting, deaf, lost] = [
      await database.aClaimedRun(),
      await database.aClaimedRun(),
      await database.aClaimedRun(),
    ];
    for (const { id } of [waiting, deaf, lost]) await cancelRun(ctx, id);
    await database.set(deaf.id, `cancel_requested_at = now() - interval '10.1 s'`);
    await database.set(lost.id, `lease_until = ${past}`);
    const { counts } = await reconcile();
    expect(counts).toEqual(counting({ canceled: 2 }));
    expect(await Promise.all([waiting, deaf, lost].map(({ id }) => database.statusOf(id)))).toEqual([
      'running',
      'canceled',
      'canceled',
    ]);
    expect(await database.typesOf(deaf.id)).toEqual(['run.queued', 'run.started', 'run.canceled']);
  });

  it('writes webhook events for runs that it ends, but not for canceled ones', async () => {
    const who = await database.anAccount();
    await database.source.query(
      `insert into webhook_endpoints (id, account_id, url, events, secret)
       values ($1, $2, 'https://example.org', '{run.failed}', '')`,
      [newId(), who.actor.accountId],
    );
    const [late, canceled] = [await aRun(who), await database.aClaimedRun(who)];
    await database.set(late.runId, `deadline_at = ${past}`);
    await database.set(canceled.id, `cancel_requested_at = now() - interval '1 minute'`);
    await reconcile();
    const published = await database.source.query<{ payload: { data: object } }[]>(
      `select payload from outbox where job = 'platform-event.fan-out'`,
    );
    expect(published.map(({ payload }) => payload.data)).toEqual([
      {
        runId: late.runId,
        workflowId: null,
        error: { code: 'RUN_TIMED_OUT', message: 'the run did not end in time' },
        lensId: expect.any(String),
        tags: [],
        metadata: null,
      },
    ]);
  });

  it('settles each run once for concurrent calls', async () => {
    const runs = await Promise.all(Array.from({ length: 60 }, () => database.aClaimedRun()));
    await database.source.query(`update runs set lease_until = ${past} where status = 'running'`);
    const rounds = await Promise.all(Array.from({ length: 8 }, () => reconcile()));
    expect(rounds.reduce((sum, { counts }) => sum + counts.expired, 0)).toBe(60);
    for (const { id } of runs) {
      expect(await load(id)).toMatchObject({ status: 'queued', generation: 1, lostAttempts: 1, lastSequence: 3 });
    }
  });

  it('processes at most the given number of runs', async () => {
    await Promise.all(Array.from({ length: 5 }, () => aRun(ctx)));
    await database.source.query(`update runs set deadline_at = ${past} where status = 'queued'`);
    expect((await reconcile({ limit: 3 })).counts.timedOut).toBe(3);
    expect((await reconcile({ limit: 3 })).counts.timedOut).toBe(2);
  });

  it('skips a locked run and decides again in the next call', async () => {
    const run = await database.aClaimedRun();
    await database.set(run.id, `lease_until = ${past}`);
    await database.source.transaction(async (writer) => {
      await writer.query(`update runs set lease_until = now() + interval '1 minute' where id = $1`, [run.id]);
      expect(await reconcile()).toEqual(nothing);
    });
    expect(await reconcile()).toEqual(nothing);
  });

  it('continues after a run that fails, and reports it', async () => {
    const [broken, sound] = [
      await database.aClaimedRun(await database.anAccount(1000), { credits: true }),
      await database.aClaimedRun(),
    ];
    const spoil = (held: number) =>
      database.source.query('update credit_accounts set held = $1 where account_id = $2', [held, broken.accountId]);
    await spoil(0);
    await database.source.query(`update runs set deadline_at = ${past} where id = any($1)`, [[broken.id, sound.id]]);
    const { counts, faults } = await reconcile();
    expect(counts).toEqual(counting({ timedOut: 1 }));
    expect(faults).toEqual([{ runId: broken.id, reason: expect.any(Error) }]);
    expect([await database.statusOf(broken.id), await database.statusOf(sound.id)]).toEqual(['running', 'timed_out']);
    await spoil(broken.hold);
    expect((await reconcile()).counts).toEqual(counting({ timedOut: 1 }));
  });

  it('and the worker compete for a run, and one of them gets it', async () => {
    const delta = { type: 'node.output.delta', payload: { nodeId: 'lens', text: 'x' } } as const;
    const who = await database.anAccount(1_000_000);
    const ends = new Set<string>();
    for (let round = 0; round < 60; round += 1) {
      const run = await database.aClaimedRun(who, { credits: true });
      await database.set(run.id, `lease_until = ${past}`);
      const held = { runId: run.id, attempt: run.attempt };
      const [{ counts }, appended, finished] = await Promise.all([
        reconcile(),
        appendEvents(database.platform, [{ ...held, after: 3, events: [delta] }]),
        finishWithSettlement(database.platform, aFinish(run, { events: [delta], cost: 2 })),
      ]);
      const { status, generation, lastSequence } = await load(run.id);
      ends.add(status);
      expect(status).toBe(finished ? 'succeeded' : 'queued');
      expect(generation).toBe(counts.expired);
      const [written] = appended;
      if (status === 'queued') {
        expect(lastSequence).toBe(written ? 5 : 4);
        await database.set(run.id, `deadline_at = ${past}`);
        await reconcile();
      }
    }
    expect(ends.size).toBeGreaterThan(0);
  });
});

describe('releaseRuns', () => {
  it('requeues runs at once and counts no lost worker', async () => {
    const [one, other] = [await database.aClaimedRun(), await database.aClaimedRun()];
    const held = [one, other].map(({ id: runId, attempt }) => ({ runId, attempt }));
    const events = await releaseRuns(database.platform, [...held, { runId: one.id, attempt: 7 }]);
    expect(events.map(({ eventType, payload }) => [eventType, payload])).toEqual(
      held.map(() => ['run.retrying', { reason: 'the worker is stopping', delayMs: 0 }]),
    );
    expect(await load(one.id)).toMatchObject({ status: 'queued', generation: 1, lostAttempts: 0 });
    expect(await releaseRuns(database.platform, held)).toEqual([]);
  });
});

describe('expireLease', () => {
  it('ends the lease of the named worker only', async () => {
    const run = await database.aClaimedRun();
    await expireLease(database.platform, { runId: run.id, worker: 'another worker' });
    expect((await reconcile()).counts).toEqual(counting({}));
    await expireLease(database.platform, { runId: run.id, worker: 'w' });
    expect((await reconcile()).counts).toEqual(counting({ expired: 1 }));
  });
});
