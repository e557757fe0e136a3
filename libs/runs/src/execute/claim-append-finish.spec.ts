import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PlatformEventType, RunEvent } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { CreditAccount } from '@lensforge/credits';
import type { RunsDatabase } from '../../test/runs-database.js';
import { openRunsDatabase } from '../../test/runs-database.js';
import type { ClaimedRun, Finish, NewRunEvent } from '../index.js';
import {
  appendEvents,
  claimRuns,
  extendLeases,
  finishRuns,
  finishWithSettlement,
  readEvents,
  readLeases,
  requeueRun,
} from '../index.js';
import { RunArtifact } from '../run-artifact.entity.js';
import { Run } from '../run.entity.js';
import { aRun } from '../testing.js';

let books: RunsDatabase;

beforeAll(async () => {
  books = await openRunsDatabase();
});
afterAll(async () => {
  expect(await books.faults()).toEqual([]);
  await books.close();
});

const db = () => books.source.manager;
const load = (id: string) => db().findOneByOrFail(Run, { id });
const claim = async (runId: string, generation = 0, worker = 'w') =>
  (await claimRuns(books.platform, [{ runId, generation, worker, leaseMs: 12_000 }]))[0];
const requeue = (run: ClaimedRun, lost = true) =>
  requeueRun(books.platform, { runId: run.id, attempt: run.attempt, reason: 'test', lost });
const delta = (text: string): NewRunEvent => ({ type: 'node.output.delta', payload: { nodeId: 'lens', text } });
const append = async (run: ClaimedRun, after: number, ...texts: string[]) =>
  (await appendEvents(books.platform, [{ runId: run.id, attempt: run.attempt, after, events: texts.map(delta) }]))[0];

const finishOf = (run: ClaimedRun, more: Partial<Finish> = {}): Finish => ({
  runId: run.id,
  accountId: run.accountId,
  workflowId: null,
  attempt: run.attempt,
  events: [delta('the rest')],
  artifacts: [{ id: newId(), kind: 'text', contentText: 'Hello', contentJson: null, isPrimaryOutput: true }],
  tokenInput: 3,
  tokenOutput: 5,
  hold: run.hold,
  cost: 0,
  failure: null,
  ...more,
});
const failure = { errorCode: 'PROVIDER_ERROR', errorMessage: 'no' };

/** Two attempts of one run: the first is not the run's any more. */
async function staleAndPresent(): Promise<[ClaimedRun, ClaimedRun]> {
  const stale = await books.aClaimedRun();
  await requeue(stale);
  const present = await claim(stale.id, 1, 'other');
  return [stale, present!];
}

/** All that a stale attempt could have touched. */
async function everythingOf(runId: string): Promise<unknown> {
  const { accountId } = await load(runId);
  return [
    await load(runId),
    await readEvents(books.platform, runId, 0),
    await db().find(RunArtifact, { where: { runId } }),
    await books.outboxOf(runId),
    await db().findOneBy(CreditAccount, { accountId }),
    await books.source.query(`select * from outbox where payload -> 'data' ->> 'runId' = $1`, [runId]),
  ];
}

describe('claiming a run', () => {
  it('hands over what is needed to execute it, and tells that it has started', async () => {
    const { runId } = await aRun(books.ctx, { modelOverride: books.pricey.key, timeoutMs: 60_000 });
    const claimed = await claim(runId);
    const { lensVersionId, creditHold } = await load(runId);
    expect(claimed).toEqual({
      id: runId,
      accountId: books.ctx.actor.accountId,
      requestId: books.ctx.requestId,
      kind: 'lens',
      generation: 0,
      attempt: 1,
      lensVersionId,
      sponsoredLensId: null,
      workflowId: null,
      params: { Name: 'Ada' },
      modelId: books.pricey.id,
      providerKey: 'offline',
      modelKey: books.pricey.key,
      outputSchema: null,
      sampling: null,
      byokKeyId: null,
      creditsPer1kInput: 1000,
      creditsPer1kOutput: 1000,
      maxOutputTokens: 100,
      hold: Number(creditHold),
      traceparent: null,
      msToDeadline: expect.any(Number),
      started: {
        eventType: 'run.started',
        payload: { attempt: 1 },
        occurredAt: expect.any(String),
        runId,
        sequence: 3,
      },
    });
    expect(claimed?.msToDeadline).toBeGreaterThan(50_000);
    expect((await readEvents(books.platform, runId, 2))[0]).toEqual(claimed?.started);
    const run = await load(runId);
    expect(run).toMatchObject({ status: 'running', attempt: 1, worker: 'w' });
    expect(run.leaseUntil!.getTime() - run.startedAt!.getTime()).toBe(12_000);
  });

  it('works once, however many try', async () => {
    const { runId } = await aRun(books.ctx);
    const tries = await Promise.all(Array.from({ length: 20 }, (_, index) => claim(runId, 0, `w${index}`)));
    expect(tries.filter(Boolean)).toHaveLength(1);
    const inOneCall = { generation: 0, worker: 'w', leaseMs: 1000 };
    const { runId: other } = await aRun(books.ctx);
    const both = await claimRuns(books.platform, [
      { runId: other, ...inOneCall },
      { runId: other, ...inOneCall },
    ]);
    expect(both.map(Boolean)).toEqual([true, false]);
    expect(await books.typesOf(other)).toEqual(['run.queued', 'run.started']);
  });

  it('answers in the order asked', async () => {
    const runs = await Promise.all(Array.from({ length: 10 }, () => aRun(books.ctx)));
    const ids = runs.map(({ runId }) => runId).reverse();
    const asked = [...ids.slice(0, 5), newId(), ...ids.slice(5)];
    const claimed = await claimRuns(
      books.platform,
      asked.map((runId) => ({ runId, generation: 0, worker: 'w', leaseMs: 1000 })),
    );
    expect(claimed.map((run) => run?.id)).toEqual([...ids.slice(0, 5), undefined, ...ids.slice(5)]);
  });

  it('needs the present generation, also beside an old one in the same call', async () => {
    const run = await books.aClaimedRun();
    await requeue(run);
    expect([await claim(run.id, 0), await claim(run.id, 2)]).toEqual([undefined, undefined]);
    const claimed = await claimRuns(books.platform, [
      { runId: run.id, generation: 0, worker: 'old', leaseMs: 1000 },
      { runId: run.id, generation: 1, worker: 'new', leaseMs: 1000 },
    ]);
    expect(claimed.map((each) => each?.attempt)).toEqual([undefined, 2]);
    expect((await load(run.id)).worker).toBe('new');
  });

  it('keeps the moment at which the run first started', async () => {
    const run = await books.aClaimedRun();
    const { startedAt } = await load(run.id);
    await requeue(run);
    await claim(run.id, 1);
    expect((await load(run.id)).startedAt).toEqual(startedAt);
  });

  it.each([
    ['has passed its deadline', `deadline_at = now()`],
    ['was canceled', `status = 'canceled', completed_at = now()`],
    ['is running', `status = 'running', lease_until = now() - interval '1 hour'`],
  ])('is not for a run that %s', async (_, change) => {
    const { runId } = await aRun(books.ctx);
    await books.set(runId, change);
    expect(await claim(runId)).toBeUndefined();
  });
});

describe('events of a running attempt', () => {
  it('are numbered on from what is there', async () => {
    const run = await books.aClaimedRun();
    const told = [...((await append(run, 2, 'a', 'b')) ?? []), ...((await append(run, 4, 'c')) ?? [])];
    expect(told.map(({ sequence, payload }) => [sequence, payload])).toEqual([
      [3, { nodeId: 'lens', text: 'a' }],
      [4, { nodeId: 'lens', text: 'b' }],
      [5, { nodeId: 'lens', text: 'c' }],
    ]);
    expect(await readEvents(books.platform, run.id, 2)).toEqual(told);
  });

  it('may be sent again after a lost answer and are stored once', async () => {
    const run = await books.aClaimedRun();
    const first = await append(run, 2, 'a', 'b');
    expect(await append(run, 2, 'a', 'b')).toEqual(first);
    expect(await append(run, 4, 'c')).toHaveLength(1);
    expect(await append(run, 2, 'a', 'b')).toBeUndefined();
    expect(await books.typesOf(run.id)).toHaveLength(5);
  });

  it('of many runs go in one statement', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, () => books.aClaimedRun()));
    const told = await appendEvents(
      books.platform,
      runs.map((run, index) => ({ runId: run.id, attempt: 1, after: 2, events: [delta(`${index}`)] })),
    );
    expect(told.map((events) => events?.[0]?.payload)).toEqual(
      runs.map((_, index) => ({ nodeId: 'lens', text: `${index}` })),
    );
    expect(told.map((events) => events?.[0]?.runId)).toEqual(runs.map(({ id }) => id));
  });

  it('may hold characters that jsonb does not know', async () => {
    const run = await books.aClaimedRun();
    await append(run, 2, 'a\u0000b\ud83e');
    const [event] = await readEvents(books.platform, run.id, 2);
    expect(event?.payload).toEqual({ nodeId: 'lens', text: 'a\ufffdb\ufffd' });
  });

  it.each(['\n\nevent: done\ndata: {}', '\r', '\u2028', '"\\', '🦊'])('keep the text %j', async (text) => {
    const run = await books.aClaimedRun();
    await append(run, 2, text);
    expect((await readEvents(books.platform, run.id, 2))[0]?.payload).toEqual({ nodeId: 'lens', text });
  });
});

describe('finishing a run', () => {
  it('that succeeded writes its end, its artifacts and its last events together', async () => {
    const run = await books.aClaimedRun();
    await append(run, 2, 'Hel');
    const finish = finishOf(run);
    const [told] = await finishRuns(books.platform, [finish]);
    expect(told?.map(({ eventType }) => eventType)).toEqual(['node.output.delta', 'artifact.created', 'run.succeeded']);
    expect(await readEvents(books.platform, run.id, 3)).toEqual(told);
    const { latencyMs, ...rest } = told?.at(-1)?.payload as { latencyMs: number };
    expect(rest).toEqual({ tokenInput: 3, tokenOutput: 5, creditCost: 0 });
    const ended = await load(run.id);
    expect(ended).toMatchObject({
      status: 'succeeded',
      leaseUntil: null,
      worker: null,
      tokenInput: 3,
      tokenOutput: 5,
      creditCost: '0',
      billingStatus: 'none',
      errorCode: null,
      lastSequence: 6,
    });
    expect(Math.abs(ended.completedAt!.getTime() - ended.startedAt!.getTime() - latencyMs)).toBeLessThanOrEqual(1);
    expect(await db().find(RunArtifact, { where: { runId: run.id } })).toEqual([
      expect.objectContaining({ ...finish.artifacts[0], visibility: 'private' }),
    ]);
  });

  it('that failed says why', async () => {
    const run = await books.aClaimedRun();
    const [told] = await finishRuns(books.platform, [finishOf(run, { failure, artifacts: [], events: [] })]);
    expect(told).toEqual([expect.objectContaining({ eventType: 'run.failed', payload: failure, sequence: 3 })]);
    expect(await load(run.id)).toMatchObject({ status: 'failed', ...failure });
  });

  it('may hold characters that Postgres does not know, and harms no neighbour by it', async () => {
    const [odd, plain] = [await books.aClaimedRun(), await books.aClaimedRun()];
    const artifact = { id: newId(), kind: 'json' as const, isPrimaryOutput: true };
    const told = await finishRuns(books.platform, [
      finishOf(odd, {
        artifacts: [{ ...artifact, contentText: 'a\u0000\udd8a', contentJson: { '\u0000': ['\ud83e'] } }],
      }),
      finishOf(plain),
    ]);
    expect(told.map(Boolean)).toEqual([true, true]);
    expect(await db().findOneBy(RunArtifact, { id: artifact.id })).toMatchObject({
      contentText: 'a\ufffd\ufffd',
      contentJson: { '\ufffd': ['\ufffd'] },
    });
  });

  it('tells the subscribers of its account, and nobody when there are none', async () => {
    const listening = await books.anAccount();
    await books.source.query(
      `insert into webhook_endpoints (id, account_id, url, events, secret)
       values ($1, $2, 'https://example.org', '{run.completed,run.failed}', '')`,
      [newId(), listening.actor.accountId],
    );
    const runs = [await books.aClaimedRun(listening), await books.aClaimedRun(listening), await books.aClaimedRun()];
    await books.source.query(`update runs set tags = '{nightly}', metadata = '{"order": 7}' where id = $1`, [
      runs[0]!.id,
    ]);
    const lensOf = async (at: number) => (await load(runs[at]!.id)).lensId;
    await finishRuns(books.platform, [
      finishOf(runs[0]!),
      finishOf(runs[1]!, { failure, artifacts: [] }),
      finishOf(runs[2]!),
    ]);
    const posted = await books.source.query<{ payload: { type: PlatformEventType; data: object }; job_id: string }[]>(
      `select payload, job_id from outbox where job = 'platform-event.fan-out' order by payload ->> 'type'`,
    );
    expect(posted.map(({ payload }) => payload)).toEqual([
      {
        eventId: posted[0]?.job_id.slice(0, 36),
        type: 'run.completed',
        accountId: listening.actor.accountId,
        occurredAt: (await load(runs[0]!.id)).completedAt?.toISOString(),
        data: {
          runId: runs[0]!.id,
          workflowId: null,
          status: 'succeeded',
          outputs: [
            {
              artifactId: expect.any(String),
              artifactKind: 'text',
              contentText: 'Hello',
              contentJson: null,
              isPrimaryOutput: true,
            },
          ],
          cost: 0,
          lensId: await lensOf(0),
          tags: ['nightly'],
          metadata: { order: 7 },
        },
      },
      expect.objectContaining({
        type: 'run.failed',
        data: {
          ...{ runId: runs[1]!.id, workflowId: null, error: { code: 'PROVIDER_ERROR', message: 'no' } },
          ...{ lensId: await lensOf(1), tags: [], metadata: null },
        },
      }),
    ]);
    await books.source.query('delete from outbox');
  });

  it('happens once', async () => {
    const run = await books.aClaimedRun();
    const finishes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        finishRuns(books.platform, [finishOf(run, index % 2 ? { failure } : {})]),
      ),
    );
    expect(finishes.flat().filter(Boolean)).toHaveLength(1);
    const { status } = await load(run.id);
    expect((await books.typesOf(run.id)).at(-1)).toBe(`run.${status}`);
  });
});

describe('finishing a run that held credits', () => {
  const balanceOf = async (accountId: string) => {
    const { available, held } = await db().findOneByOrFail(CreditAccount, { accountId });
    return [Number(available), Number(held)];
  };

  it.each([
    ['all of it', (hold: number) => hold, ['credits.charged'], 'charged'],
    ['a part', () => 7, ['credits.charged', 'credits.released'], 'charged'],
    ['nothing', () => 0, ['credits.released'], 'released'],
  ] as [string, (hold: number) => number, string[], string][])(
    'and cost %s charges that',
    async (_, costOf, events, billingStatus) => {
      const who = await books.anAccount(1000);
      const run = await books.aClaimedRun(who, { credits: true });
      const cost = costOf(run.hold);
      const told = await finishWithSettlement(books.platform, finishOf(run, { cost, events: [], artifacts: [] }));
      expect(told?.map(({ eventType }) => eventType)).toEqual([...events, 'run.succeeded']);
      expect(await load(run.id)).toMatchObject({ billingStatus, creditCost: `${cost}` });
      expect(await balanceOf(run.accountId)).toEqual([1000 - cost, 0]);
    },
  );

  it('charges once, and not at all for a stale attempt', async () => {
    const who = await books.anAccount(1000);
    const run = await books.aClaimedRun(who, { credits: true });
    await requeue(run);
    const present = (await claim(run.id, 1))!;
    const ends = await Promise.all(
      [run, present, present, run].map((each) => finishWithSettlement(books.platform, finishOf(each, { cost: 5 }))),
    );
    expect(ends.filter(Boolean)).toHaveLength(1);
    expect(await balanceOf(run.accountId)).toEqual([995, 0]);
  });

  it('leaves the run as it was when the settlement is refused', async () => {
    const run = await books.aClaimedRun(await books.anAccount(1000), { credits: true });
    const before = await everythingOf(run.id);
    const dear = finishOf(run, { cost: run.hold + 1 });
    await expect(finishWithSettlement(books.platform, dear)).rejects.toThrow('cannot cost');
    await expect(finishRuns(books.platform, [finishOf(run)])).rejects.toThrow('must be settled with its end');
    expect(await everythingOf(run.id)).toEqual(before);
  });
});

describe('a stale attempt', () => {
  it('changes nothing, whatever it tries', async () => {
    const [stale, present] = await staleAndPresent();
    const before = await everythingOf(stale.id);
    const { lastSequence } = await load(stale.id);
    const held = [{ runId: stale.id, attempt: stale.attempt }];
    for (const after of [2, lastSequence]) expect(await append(stale, after, 'late')).toBeUndefined();
    expect(await finishRuns(books.platform, [finishOf(stale)])).toEqual([undefined]);
    expect(await finishRuns(books.platform, [finishOf(stale, { failure })])).toEqual([undefined]);
    expect(await requeue(stale)).toBeUndefined();
    expect(await extendLeases(books.platform, held, 60_000)).toEqual([]);
    expect(await readLeases(books.platform, held)).toEqual([]);
    expect(await claim(stale.id, 0)).toBeUndefined();
    expect(await everythingOf(stale.id)).toEqual(before);
    expect(await finishRuns(books.platform, [finishOf(present)])).toEqual([expect.any(Array)]);
  });

  it('is told from the present one in the same call', async () => {
    const [stale, present] = await staleAndPresent();
    const { lastSequence: after } = await load(stale.id);
    const progress = [stale, present].map(({ id, attempt }) => ({
      runId: id,
      attempt,
      after,
      events: [delta(`${attempt}`)],
    }));
    const told = await appendEvents(books.platform, progress);
    expect(told.map((events) => events?.map(({ payload }) => payload))).toEqual([
      undefined,
      [{ nodeId: 'lens', text: '2' }],
    ]);
    const ends = await finishRuns(books.platform, [finishOf(stale, { failure }), finishOf(present)]);
    expect(ends.map((events: RunEvent[] | undefined) => events?.at(-1)?.eventType)).toEqual([
      undefined,
      'run.succeeded',
    ]);
    expect(await db().countBy(RunArtifact, { runId: stale.id })).toBe(1);
  });
});

describe('a heartbeat', () => {
  it('extends the leases of the runs in hand, from the clock of the database, and hears of cancellations', async () => {
    const [one, other] = [await books.aClaimedRun(), await books.aClaimedRun()];
    await books.set(one.id, `lease_until = now() - interval '1 minute'`);
    await books.set(other.id, 'cancel_requested_at = now()');
    const held = [one, other].map(({ id, attempt }) => ({ runId: id, attempt }));
    const beats = await extendLeases(books.platform, held, 30_000);
    expect(beats).toHaveLength(2);
    expect(beats).toEqual(
      expect.arrayContaining([
        { runId: one.id, attempt: 1, cancelRequested: false, extended: true },
        { runId: other.id, attempt: 1, cancelRequested: true, extended: true },
      ]),
    );
    const [{ left }] = await books.source.query<[{ left: number }]>(
      `select min(extract(epoch from lease_until - now()))::float8 as left from runs where id = any($1)`,
      [[one.id, other.id]],
    );
    expect(Math.round(left / 10)).toBe(3);
    expect(await readLeases(books.platform, held)).toHaveLength(2);
  });

  it('waits for nobody who is writing a run, and says that this lease was not extended', async () => {
    const [busy, free] = [await books.aClaimedRun(), await books.aClaimedRun()];
    const held = [busy, free].map(({ id, attempt }) => ({ runId: id, attempt }));
    await books.source.transaction(async (writer) => {
      await writer.query('select 1 from runs where id = $1 for update', [busy.id]);
      const beats = new Map(
        (await extendLeases(books.platform, held, 30_000)).map((beat) => [beat.runId, beat.extended]),
      );
      expect([beats.get(busy.id), beats.get(free.id)]).toEqual([false, true]);
    });
  });

  it('does not hear of a run that has ended', async () => {
    const run = await books.aClaimedRun();
    await finishRuns(books.platform, [finishOf(run)]);
    expect(await extendLeases(books.platform, [{ runId: run.id, attempt: 1 }], 1000)).toEqual([]);
  });
});

it('statements over many of the same runs at once neither block each other nor leave a gap', async () => {
  const runs = await Promise.all(Array.from({ length: 30 }, () => books.aClaimedRun()));
  const shuffled = () => [...runs].sort(() => Math.random() - 0.5);
  const places = new Map(runs.map(({ id }) => [id, 2]));
  let rounds = 0;
  const append = async () => {
    const some = shuffled().slice(0, 20);
    const told = await appendEvents(
      books.platform,
      some.map(({ id, attempt }) => ({ runId: id, attempt, after: places.get(id)!, events: [delta('x')] })),
    );
    told.forEach((events, index) => {
      const { id } = some[index]!;
      if (events) places.set(id, Math.max(places.get(id)!, events.at(-1)!.sequence));
    });
    rounds += 1;
  };
  const beat = () =>
    extendLeases(
      books.platform,
      shuffled().map(({ id, attempt }) => ({ runId: id, attempt })),
      12_000,
    );
  const lane = async (work: () => Promise<unknown>) => {
    for (let turn = 0; turn < 40; turn += 1) await work();
  };
  await Promise.all([lane(append), lane(append), lane(append), lane(beat), lane(beat)]);
  expect(rounds).toBe(120);
  await finishRuns(
    books.platform,
    shuffled().map((run) => finishOf(run)),
  );
  expect(await Promise.all(runs.map(({ id }) => books.statusOf(id)))).toEqual(runs.map(() => 'succeeded'));
});
