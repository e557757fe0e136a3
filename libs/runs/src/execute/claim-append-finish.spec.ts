import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PlatformEventType, RunEvent } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { CreditAccount } from '@lensforge/credits';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import {
  type ClaimedRun,
  type Finish,
  type NewRunEvent,
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
import { aFinish, aRun } from '../testing.js';

let database: RunsDatabase;

beforeAll(async () => {
  database = await openRunsDatabase();
});
afterAll(async () => {
  expect(await database.faults()).toEqual([]);
  await database.close();
});

const db = () => database.source.manager;
const load = (id: string) => db().findOneByOrFail(Run, { id });
const claim = async (runId: string, generation = 0, worker = 'w') =>
  (await claimRuns(database.platform, [{ runId, generation, worker, leaseMs: 12_000 }]))[0];
const requeue = (run: ClaimedRun, lost = true) =>
  requeueRun(database.platform, { runId: run.id, attempt: run.attempt, reason: 'test', lost });
const delta = (text: string): NewRunEvent => ({ type: 'node.output.delta', payload: { nodeId: 'lens', text } });
const append = async (run: ClaimedRun, after: number, ...texts: string[]) =>
  (
    await appendEvents(database.platform, [{ runId: run.id, attempt: run.attempt, after, events: texts.map(delta) }])
  )[0];

const finishOf = (run: ClaimedRun, more: Partial<Finish> = {}): Finish =>
  aFinish(run, {
    events: [delta('the rest')],
    artifacts: [{ id: newId(), kind: 'text', contentText: 'Hello', contentJson: null, isPrimaryOutput: true }],
    tokenInput: 3,
    tokenOutput: 5,
    ...more,
  });
const failure = { errorCode: 'PROVIDER_ERROR', errorMessage: 'no' };

/** Returns two attempts of one run; the first one is stale. */
async function staleAndCurrent(): Promise<[ClaimedRun, ClaimedRun]> {
  const stale = await database.aClaimedRun();
  await requeue(stale);
  const present = await claim(stale.id, 1, 'other');
  return [stale, present!];
}

/** Everything that a stale attempt could have changed. */
async function everythingOf(runId: string): Promise<unknown> {
  const { accountId } = await load(runId);
  return [
    await load(runId),
    await readEvents(database.platform, runId, 0),
    await db().find(RunArtifact, { where: { runId } }),
    await database.outboxOf(runId),
    await db().findOneBy(CreditAccount, { accountId }),
    await database.source.query(`select * from outbox where payload -> 'data' ->> 'runId' = $1`, [runId]),
  ];
}

describe('claimRuns', () => {
  it('returns what is needed to execute the run, with its start event', async () => {
    const { runId } = await aRun(database.ctx, { modelOverride: database.pricey.key, timeoutMs: 60_000 });
    const claimed = await claim(runId);
    const { lensVersionId, creditHold } = await load(runId);
    expect(claimed).toEqual({
      id: runId,
      accountId: database.ctx.actor.accountId,
      requestId: database.ctx.requestId,
      kind: 'lens',
      attempt: 1,
      lensVersionId,
      sponsoredLensId: null,
      workflowId: null,
      params: { Name: 'Ada' },
      modelId: database.pricey.id,
      outputSchema: null,
      sampling: null,
      byokKeyId: null,
      hold: Number(creditHold),
      traceparent: null,
      cause: null,
      msToDeadline: expect.any(Number),
      sequence: 3,
    });
    expect(claimed?.msToDeadline).toBeGreaterThan(50_000);
    const [started] = await readEvents(database.platform, runId, 2);
    expect(started).toMatchObject({ eventType: 'run.started', payload: { attempt: 1 }, sequence: 3 });
    expect(database.changes.take().events).toContainEqual(started);
    const run = await load(runId);
    expect(run).toMatchObject({ status: 'running', attempt: 1, worker: 'w' });
    expect(run.leaseUntil!.getTime() - run.startedAt!.getTime()).toBe(12_000);
  });

  it('succeeds once for concurrent calls', async () => {
    const { runId } = await aRun(database.ctx);
    const tries = await Promise.all(Array.from({ length: 20 }, (_, index) => claim(runId, 0, `w${index}`)));
    expect(tries.filter(Boolean)).toHaveLength(1);
    const inOneCall = { generation: 0, worker: 'w', leaseMs: 1000 };
    const { runId: other } = await aRun(database.ctx);
    const both = await claimRuns(database.platform, [
      { runId: other, ...inOneCall },
      { runId: other, ...inOneCall },
    ]);
    expect(both.map(Boolean)).toEqual([true, false]);
    expect(await database.typesOf(other)).toEqual(['run.queued', 'run.started']);
  });

  it('returns results in the order of the claims', async () => {
    const runs = await Promise.all(Array.from({ length: 10 }, () => aRun(database.ctx)));
    const ids = runs.map(({ runId }) => runId).reverse();
    const requested = [...ids.slice(0, 5), newId(), ...ids.slice(5)];
    const claimed = await claimRuns(
      database.platform,
      requested.map((runId) => ({ runId, generation: 0, worker: 'w', leaseMs: 1000 })),
    );
    expect(claimed.map((run) => run?.id)).toEqual([...ids.slice(0, 5), undefined, ...ids.slice(5)]);
  });

  it('needs the current generation, also next to an old one in the same call', async () => {
    const run = await database.aClaimedRun();
    await requeue(run);
    expect([await claim(run.id, 0), await claim(run.id, 2)]).toEqual([undefined, undefined]);
    const claimed = await claimRuns(database.platform, [
      { runId: run.id, generation: 0, worker: 'old', leaseMs: 1000 },
      { runId: run.id, generation: 1, worker: 'new', leaseMs: 1000 },
    ]);
    expect(claimed.map((each) => each?.attempt)).toEqual([undefined, 2]);
    expect((await load(run.id)).worker).toBe('new');
  });

  it('keeps the time of the first start', async () => {
    const run = await database.aClaimedRun();
    const { startedAt } = await load(run.id);
    await requeue(run);
    await claim(run.id, 1);
    expect((await load(run.id)).startedAt).toEqual(startedAt);
  });

  it.each([
    ['has passed its deadline', `deadline_at = now()`],
    ['was canceled', `status = 'canceled', completed_at = now()`],
    ['is running', `status = 'running', lease_until = now() - interval '1 hour'`],
  ])('refuses a run that %s', async (_, change) => {
    const { runId } = await aRun(database.ctx);
    await database.set(runId, change);
    expect(await claim(runId)).toBeUndefined();
  });
});

describe('appendEvents', () => {
  it('continues the sequence numbers of the run', async () => {
    const run = await database.aClaimedRun();
    const stored = [...((await append(run, 2, 'a', 'b')) ?? []), ...((await append(run, 4, 'c')) ?? [])];
    expect(stored.map(({ sequence, payload }) => [sequence, payload])).toEqual([
      [3, { nodeId: 'lens', text: 'a' }],
      [4, { nodeId: 'lens', text: 'b' }],
      [5, { nodeId: 'lens', text: 'c' }],
    ]);
    expect(await readEvents(database.platform, run.id, 2)).toEqual(stored);
  });

  it('stores events once when it is repeated after a lost response', async () => {
    const run = await database.aClaimedRun();
    const first = await append(run, 2, 'a', 'b');
    expect(await append(run, 2, 'a', 'b')).toEqual(first);
    expect(await append(run, 4, 'c')).toHaveLength(1);
    expect(await append(run, 2, 'a', 'b')).toBeUndefined();
    expect(await database.typesOf(run.id)).toHaveLength(5);
  });

  it('writes events of many runs in one statement', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, () => database.aClaimedRun()));
    const stored = await appendEvents(
      database.platform,
      runs.map((run, index) => ({ runId: run.id, attempt: 1, after: 2, events: [delta(`${index}`)] })),
    );
    expect(stored.map((events) => events?.[0]?.payload)).toEqual(
      runs.map((_, index) => ({ nodeId: 'lens', text: `${index}` })),
    );
    expect(stored.map((events) => events?.[0]?.runId)).toEqual(runs.map(({ id }) => id));
  });

  it('replaces characters that jsonb cannot store', async () => {
    const run = await database.aClaimedRun();
    await append(run, 2, 'a\u0000b\ud83e');
    const [event] = await readEvents(database.platform, run.id, 2);
    expect(event?.payload).toEqual({ nodeId: 'lens', text: 'a\ufffdb\ufffd' });
  });

  it.each(['\n\nevent: done\ndata: {}', '\r', '\u2028', '"\\', '🦊'])('stores the text %j', async (text) => {
    const run = await database.aClaimedRun();
    await append(run, 2, text);
    expect((await readEvents(database.platform, run.id, 2))[0]?.payload).toEqual({ nodeId: 'lens', text });
  });
});

describe('finishRuns', () => {
  it('writes the end, artifacts and last events of a succeeded run together', async () => {
    const run = await database.aClaimedRun();
    await append(run, 2, 'Hel');
    const finish = finishOf(run);
    const [stored] = await finishRuns(database.platform, [finish]);
    expect(stored?.map(({ eventType }) => eventType)).toEqual([
      'node.output.delta',
      'artifact.created',
      'run.succeeded',
    ]);
    expect(await readEvents(database.platform, run.id, 3)).toEqual(stored);
    const { latencyMs, ...rest } = stored?.at(-1)?.payload as { latencyMs: number };
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

  it('writes the error of a failed run', async () => {
    const run = await database.aClaimedRun();
    const [stored] = await finishRuns(database.platform, [finishOf(run, { failure, artifacts: [], events: [] })]);
    expect(stored).toEqual([expect.objectContaining({ eventType: 'run.failed', payload: failure, sequence: 3 })]);
    expect(await load(run.id)).toMatchObject({ status: 'failed', ...failure });
  });

  it('replaces characters that PostgreSQL cannot store, without effect on other runs of the call', async () => {
    const [odd, plain] = [await database.aClaimedRun(), await database.aClaimedRun()];
    const artifact = { id: newId(), kind: 'json' as const, isPrimaryOutput: true };
    const stored = await finishRuns(database.platform, [
      finishOf(odd, {
        artifacts: [{ ...artifact, contentText: 'a\u0000\udd8a', contentJson: { '\u0000': ['\ud83e'] } }],
      }),
      finishOf(plain),
    ]);
    expect(stored.map(Boolean)).toEqual([true, true]);
    expect(await db().findOneBy(RunArtifact, { id: artifact.id })).toMatchObject({
      contentText: 'a\ufffd\ufffd',
      contentJson: { '\ufffd': ['\ufffd'] },
    });
  });

  it('writes webhook events for subscribed accounts only', async () => {
    const listening = await database.anAccount();
    await database.source.query(
      `insert into webhook_endpoints (id, account_id, url, events, secret)
       values ($1, $2, 'https://example.org', '{run.completed,run.failed}', '')`,
      [newId(), listening.actor.accountId],
    );
    const runs = [
      await database.aClaimedRun(listening),
      await database.aClaimedRun(listening),
      await database.aClaimedRun(),
    ];
    await database.source.query(`update runs set tags = '{nightly}', metadata = '{"order": 7}' where id = $1`, [
      runs[0]!.id,
    ]);
    const lensOf = async (at: number) => (await load(runs[at]!.id)).lensId;
    const tokenDetails = { cachedInput: 2, cacheWrite: 0, reasoning: 1, creditsSaved: 0 };
    await finishRuns(database.platform, [
      finishOf(runs[0]!, { tokenDetails }),
      finishOf(runs[1]!, { failure, artifacts: [] }),
      finishOf(runs[2]!),
    ]);
    const posted = await database.source.query<
      { payload: { type: PlatformEventType; data: object }; job_id: string }[]
    >(`select payload, job_id from outbox where job = 'platform-event.fan-out' order by payload ->> 'type'`);
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
          tokenInput: 3,
          tokenOutput: 5,
          tokenDetails,
          lensId: await lensOf(0),
          tags: ['nightly'],
          metadata: { order: 7 },
        },
      },
      expect.objectContaining({
        type: 'run.failed',
        data: {
          runId: runs[1]!.id,
          workflowId: null,
          error: { code: 'PROVIDER_ERROR', message: 'no' },
          lensId: await lensOf(1),
          tags: [],
          metadata: null,
        },
      }),
    ]);
    await database.source.query('delete from outbox');
  });

  it('ends a run once for concurrent calls', async () => {
    const run = await database.aClaimedRun();
    const finishes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        finishRuns(database.platform, [finishOf(run, index % 2 ? { failure } : {})]),
      ),
    );
    expect(finishes.flat().filter(Boolean)).toHaveLength(1);
    const { status } = await load(run.id);
    expect((await database.typesOf(run.id)).at(-1)).toBe(`run.${status}`);
  });
});

describe('finishWithSettlement', () => {
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
      const who = await database.anAccount(1000);
      const run = await database.aClaimedRun(who, { credits: true });
      const cost = costOf(run.hold);
      const stored = await finishWithSettlement(database.platform, finishOf(run, { cost, events: [], artifacts: [] }));
      expect(stored?.map(({ eventType }) => eventType)).toEqual([...events, 'run.succeeded']);
      expect(await load(run.id)).toMatchObject({ billingStatus, creditCost: `${cost}` });
      expect(await balanceOf(run.accountId)).toEqual([1000 - cost, 0]);
    },
  );

  it('charges once, and never for a stale attempt', async () => {
    const who = await database.anAccount(1000);
    const run = await database.aClaimedRun(who, { credits: true });
    await requeue(run);
    const present = (await claim(run.id, 1))!;
    const ends = await Promise.all(
      [run, present, present, run].map((each) => finishWithSettlement(database.platform, finishOf(each, { cost: 5 }))),
    );
    expect(ends.filter(Boolean)).toHaveLength(1);
    expect(await balanceOf(run.accountId)).toEqual([995, 0]);
  });

  it('leaves the run unchanged when the settlement fails', async () => {
    const run = await database.aClaimedRun(await database.anAccount(1000), { credits: true });
    const before = await everythingOf(run.id);
    const dear = finishOf(run, { cost: -1 });
    await expect(finishWithSettlement(database.platform, dear)).rejects.toThrow('cannot cost');
    await expect(finishRuns(database.platform, [finishOf(run)])).rejects.toThrow('must be settled with its end');
    expect(await everythingOf(run.id)).toEqual(before);
  });
});

describe('a stale attempt', () => {
  it('changes nothing with any statement', async () => {
    const [stale, present] = await staleAndCurrent();
    const before = await everythingOf(stale.id);
    const { lastSequence } = await load(stale.id);
    const held = [{ runId: stale.id, attempt: stale.attempt }];
    for (const after of [2, lastSequence]) expect(await append(stale, after, 'late')).toBeUndefined();
    expect(await finishRuns(database.platform, [finishOf(stale)])).toEqual([undefined]);
    expect(await finishRuns(database.platform, [finishOf(stale, { failure })])).toEqual([undefined]);
    expect(await requeue(stale)).toBeUndefined();
    expect(await extendLeases(database.platform, held, 60_000)).toEqual([]);
    expect(await readLeases(database.platform, held)).toEqual([]);
    expect(await claim(stale.id, 0)).toBeUndefined();
    expect(await everythingOf(stale.id)).toEqual(before);
    expect(await finishRuns(database.platform, [finishOf(present)])).toEqual([expect.any(Array)]);
  });

  it('is distinguished from the current attempt in the same call', async () => {
    const [stale, present] = await staleAndCurrent();
    const { lastSequence: after } = await load(stale.id);
    const progress = [stale, present].map(({ id, attempt }) => ({
      runId: id,
      attempt,
      after,
      events: [delta(`${attempt}`)],
    }));
    const stored = await appendEvents(database.platform, progress);
    expect(stored.map((events) => events?.map(({ payload }) => payload))).toEqual([
      undefined,
      [{ nodeId: 'lens', text: '2' }],
    ]);
    const ends = await finishRuns(database.platform, [finishOf(stale, { failure }), finishOf(present)]);
    expect(ends.map((events: RunEvent[] | undefined) => events?.at(-1)?.eventType)).toEqual([
      undefined,
      'run.succeeded',
    ]);
    expect(await db().countBy(RunArtifact, { runId: stale.id })).toBe(1);
  });
});

describe('extendLeases', () => {
  it('extends the leases of held runs by the clock of the database and reports cancellations', async () => {
    const [one, other] = [await database.aClaimedRun(), await database.aClaimedRun()];
    await database.set(one.id, `lease_until = now() - interval '1 minute'`);
    await database.set(other.id, 'cancel_requested_at = now()');
    const held = [one, other].map(({ id, attempt }) => ({ runId: id, attempt }));
    const beats = await extendLeases(database.platform, held, 30_000);
    expect(beats).toHaveLength(2);
    expect(beats).toEqual(
      expect.arrayContaining([
        { runId: one.id, attempt: 1, cancelRequested: false, extended: true },
        { runId: other.id, attempt: 1, cancelRequested: true, extended: true },
      ]),
    );
    const [{ left }] = await database.source.query<[{ left: number }]>(
      `select min(extract(epoch from lease_until - now()))::float8 as left from runs where id = any($1)`,
      [[one.id, other.id]],
    );
    expect(Math.round(left / 10)).toBe(3);
    expect(await readLeases(database.platform, held)).toHaveLength(2);
  });

  it('skips a locked row and reports that its lease was not extended', async () => {
    const [busy, free] = [await database.aClaimedRun(), await database.aClaimedRun()];
    const held = [busy, free].map(({ id, attempt }) => ({ runId: id, attempt }));
    await database.source.transaction(async (writer) => {
      await writer.query('select 1 from runs where id = $1 for update', [busy.id]);
      const beats = new Map(
        (await extendLeases(database.platform, held, 30_000)).map((beat) => [beat.runId, beat.extended]),
      );
      expect([beats.get(busy.id), beats.get(free.id)]).toEqual([false, true]);
    });
  });

  it('omits a run that has ended', async () => {
    const run = await database.aClaimedRun();
    await finishRuns(database.platform, [finishOf(run)]);
    expect(await extendLeases(database.platform, [{ runId: run.id, attempt: 1 }], 1000)).toEqual([]);
  });
});

it('concurrent statements on the same runs neither deadlock nor leave gaps in the events', async () => {
  const runs = await Promise.all(Array.from({ length: 30 }, () => database.aClaimedRun()));
  const shuffled = () => [...runs].sort(() => Math.random() - 0.5);
  const sequences = new Map(runs.map(({ id }) => [id, 2]));
  let rounds = 0;
  const append = async () => {
    const some = shuffled().slice(0, 20);
    const stored = await appendEvents(
      database.platform,
      some.map(({ id, attempt }) => ({ runId: id, attempt, after: sequences.get(id)!, events: [delta('x')] })),
    );
    stored.forEach((events, index) => {
      const { id } = some[index]!;
      if (events) sequences.set(id, Math.max(sequences.get(id)!, events.at(-1)!.sequence));
    });
    rounds += 1;
  };
  const beat = () =>
    extendLeases(
      database.platform,
      shuffled().map(({ id, attempt }) => ({ runId: id, attempt })),
      12_000,
    );
  const repeat = async (work: () => Promise<unknown>) => {
    for (let round = 0; round < 400; round += 1) await work();
  };
  await Promise.all([repeat(append), repeat(append), repeat(append), repeat(beat), repeat(beat)]);
  expect(rounds).toBe(1200);
  await finishRuns(
    database.platform,
    shuffled().map((run) => finishOf(run)),
  );
  expect(await Promise.all(runs.map(({ id }) => database.statusOf(id)))).toEqual(runs.map(() => 'succeeded'));
});
