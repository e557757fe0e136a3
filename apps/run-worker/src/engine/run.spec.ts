import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { newId, platformActor } from '@lensforge/core';
import { ledgerFaults, readBalance } from '@lensforge/credits';
import { grantTestCredits } from '@lensforge/credits/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import type { JobContext, NextWork } from '@lensforge/queue';
import {
  acceptJudgingRun,
  acceptLensRun,
  admitRuns,
  cancelRun,
  claimRuns,
  limitRuns,
  readRun,
  reconcileLimits,
  reconcileRuns,
} from '@lensforge/runs';
import { aPromptRun, aRun } from '@lensforge/runs/testing';
import { aLens } from '@lensforge/lenses/testing';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { type EngineSetup, aProvider, anEngineSetup } from '../../test/engine-setup.js';
import { ByokLeases } from '../byok-leases.js';
import { ProviderFault } from '../providers/provider.js';
import { providersByKey } from '../providers/providers.js';
import type { AppendEvents, ExecuteJudging } from './run.js';
import { RunFailure } from './run-failure.js';

let setup: EngineSetup;
beforeAll(async () => {
  setup = await anEngineSetup();
});
afterAll(() => setup.close());

const script = (directive: object): string => `@offline ${JSON.stringify(directive)}`;
const asPlatform = () => ({ ...setup.ctx, actor: platformActor });

describe('a run', () => {
  it('tells the provider which beginning of its prompt it has had before', async () => {
    const { id: lensId } = await aLens(setup.ctx, { templateBody: `${'Rules. '.repeat(800)}[[Name]] and more.` });
    const prefixes: unknown[] = [];
    const provider = aProvider(async function* (request) {
      prefixes.push(request.prefix);
      yield { delta: 'Hello' };
    });
    const engine = setup.engine({ provider });
    for (const Name of ['Ada', 'Grace']) {
      const runId = await setup.accept('', { lensId, params: { Name } });
      expect(await engine.execute({ runId, generation: 0 })).toBe('succeeded');
    }
    const prefix = { length: 5600, key: expect.any(String) };
    expect(prefixes).toEqual([
      { ...prefix, isRepeated: false },
      { ...prefix, isRepeated: true },
    ]);
  });

  it('leaves its place to the run that its slot passes to, and so does that one', async () => {
    const who = actingAs(setup.ctx, (await anAccount(asPlatform())).id);
    const engine = setup.engine();
    const usual = { atOnce: 50, backlog: 20_000 };
    limitRuns(setup.source, { ...usual, atOnce: 1 });
    const { id: lensId } = await aLens(who, {
      templateBody: 'Greet [[Name]], and say something about the weather there.',
    });
    const accept = async (Name: string) =>
      (await acceptLensRun(who, { lensId, params: { Name }, timeoutMs: 60_000 })).runId;
    const [canceled, first, second, third] = [
      await accept('A'),
      await accept('B'),
      await accept('C'),
      await accept('D'),
    ];
    // The end of a run with a slot finds that others wait; from then on ends pass slots on.
    await admitRuns(asPlatform(), [who.actor.accountId]);
    await cancelRun(who, canceled);
    await admitRuns(asPlatform(), [who.actor.accountId]);
    const followers: NextWork[] = [];
    const place = {
      mayContinue: () => Promise.resolve(followers.length < 2),
      continueWith: (next: NextWork) => void followers.push(next),
    };
    expect(await engine.execute({ runId: first, generation: 0 }, place)).toBe('succeeded');
    expect(followers.map(({ id }) => id)).toEqual([second]);
    await followers[0]!.work(place as JobContext);
    expect(followers.map(({ id }) => id)).toEqual([second, third]);
    expect((await readRun(who, second)).status).toBe('succeeded');
    await followers[1]!.work(place as JobContext);
    expect((await readRun(who, third)).status).toBe('succeeded');
    expect(await engine.execute({ runId: third, generation: 0 })).toBe('ignored');
    limitRuns(setup.source, usual);
  });

  it('succeeds with its text as primary artifact and every event in order', async () => {
    const engine = setup.engine();
    const runId = await setup.accept('Greet Ada');
    expect(await engine.execute({ runId, generation: 0 })).toBe('succeeded');
    const run = await setup.run(runId);
    expect(run).toMatchObject({ status: 'succeeded', billingStatus: 'none', creditCost: 0, errorCode: null });
    expect(run.artifacts).toEqual([
      expect.objectContaining({
        artifactKind: 'text',
        isPrimaryOutput: true,
        contentText: expect.stringContaining('Greet Ada'),
      }),
    ]);
    expect(run.tokenOutput).toBeGreaterThan(2);
    expect(await setup.story(runId)).toEqual([
      'run.queued',
      'run.started',
      'node.output.delta',
      'artifact.created',
      'run.succeeded',
    ]);
  });

  it('publishes its events exactly as they are stored', async () => {
    const engine = setup.engine();
    const runId = await setup.accept(script({ pieces: 6, pieceDelayMs: 40 }));
    await engine.execute({ runId, generation: 0 });
    const published = setup.changes.take().events.filter((event) => event.runId === runId);
    expect(published).toEqual((await setup.events(runId)).slice(1));
  });

  it('streams its output while it runs, and the artifact is the whole of it', async () => {
    const engine = setup.engine();
    const runId = await setup.accept(script({ pieces: 8, pieceDelayMs: 40 }));
    const done = engine.execute({ runId, generation: 0 });
    await until(async () => (await setup.story(runId)).filter((type) => type === 'node.output.delta').length >= 2);
    expect((await setup.run(runId)).status).toBe('running');
    await done;
    const texts = (await setup.events(runId)).flatMap(({ eventType, payload }) =>
      eventType === 'node.output.delta' ? [(payload as { nodeId: string; text: string }).text] : [],
    );
    expect(texts.join('')).toBe((await setup.run(runId)).artifacts[0]?.contentText);
  });

  it('needs two statements when it is quick', async () => {
    const statements: string[] = [];
    const query = setup.ctx.db.query.bind(setup.ctx.db);
    const db = Object.create(setup.ctx.db, {
      query: {
        value: (sql: string, values: unknown[]) => {
          statements.push(sql);
          return query(sql, values);
        },
      },
    }) as typeof setup.ctx.db;
    await setup.engine().execute({ runId: await setup.accept(), generation: 0 });
    const runId = await setup.accept();
    await setup.engine({ ctx: { ...asPlatform(), db } }).execute({ runId, generation: 0 });
    expect(statements).toHaveLength(2);
  });

  it('shares its statements with concurrent runs', async () => {
    const engine = setup.engine();
    const runIds = await Promise.all(Array.from({ length: 50 }, (_, n) => setup.accept(`Greet number ${n}`)));
    await Promise.all(runIds.map((runId) => engine.execute({ runId, generation: 0 })));
    for (const [n, runId] of runIds.entries()) {
      const { status, artifacts } = await setup.run(runId);
      expect(status).toBe('succeeded');
      expect(artifacts[0]?.contentText).toMatch(new RegExp(`Greet number ${n}$`));
      expect(await setup.story(runId)).toHaveLength(5);
    }
  });

  it('is executed once when its job arrives twice', async () => {
    const engine = setup.engine();
    const runId = await setup.accept();
    const outcomes = await Promise.all([
      engine.execute({ runId, generation: 0 }),
      setup.engine().execute({ runId, generation: 0 }),
    ]);
    expect(outcomes.sort()).toEqual(['ignored', 'succeeded']);
    expect(await engine.execute({ runId, generation: 0 })).toBe('ignored');
    expect(await setup.story(runId)).toHaveLength(5);
  });

  it('is not executed by a job of another generation or run', async () => {
    const engine = setup.engine();
    const runId = await setup.accept();
    expect(await engine.execute({ runId, generation: 1 })).toBe('ignored');
    expect(await engine.execute({ runId: newId(), generation: 0 })).toBe('ignored');
    expect((await setup.run(runId)).status).toBe('queued');
  });

  it('replaces characters that PostgreSQL cannot store', async () => {
    const provider = aProvider(async function* () {
      yield { delta: 'nul \0, half \uD83D' };
      yield { delta: '\uDE00 and alone \uD83D' };
      yield { delta: '!' };
    });
    const runId = await setup.accept();
    await setup.engine({ provider }).execute({ runId, generation: 0 });
    expect((await setup.run(runId)).artifacts[0]?.contentText).toBe('nul \uFFFD, half \u{1F600} and alone \uFFFD!');
  });
});

describe('a run that fails', () => {
  it('has a message for its owner and no artifact', async () => {
    const runId = await setup.accept(script({ pieces: 2, fail: 'the model is tired' }));
    expect(await setup.engine().execute({ runId, generation: 0 })).toBe('failed');
    expect(await setup.run(runId)).toMatchObject({
      status: 'failed',
      errorCode: 'PROVIDER_FAILED',
      errorMessage: 'The provider offline says: the model is tired',
      artifacts: [],
    });
    expect((await setup.story(runId)).slice(2)).toEqual(['node.output.delta', 'run.failed']);
  });

  it('shows no internal details to its owner', async () => {
    const provider = aProvider(() => {
      throw new Error('key sk-123 at /srv/app/secret.js:12');
    });
    const runId = await setup.accept();
    await setup.engine({ provider }).execute({ runId, generation: 0 });
    const { errorCode, errorMessage } = await setup.run(runId);
    expect({ errorCode, errorMessage }).toEqual({
      errorCode: 'PROVIDER_FAILED',
      errorMessage: 'The provider offline failed unexpectedly',
    });
  });

  it.each([
    ['refused', 'PROVIDER_REFUSED'],
    ['unauthorized', 'PROVIDER_UNAUTHORIZED'],
  ])('is not retried after the fault %s', async (failKind, errorCode) => {
    const runId = await setup.accept(script({ fail: 'no', failKind }));
    expect(await setup.engine().execute({ runId, generation: 0 })).toBe('failed');
    expect((await setup.run(runId)).errorCode).toBe(errorCode);
  });

  it('names missing params', async () => {
    const runId = await setup.accept();
    await setup.ctx.db.query(`update runs set params = '{}' where id = $1`, [runId]);
    await setup.engine().execute({ runId, generation: 0 });
    expect(await setup.run(runId)).toMatchObject({
      errorCode: 'MISSING_PARAMS',
      errorMessage: expect.stringContaining('Prompt'),
    });
  });

  it('reports a provider that this platform does not have', async () => {
    const runId = await setup.accept();
    await setup.engine({ providers: providersByKey([]) }).execute({ runId, generation: 0 });
    expect((await setup.run(runId)).errorCode).toBe('PROVIDER_UNKNOWN');
  });

  it('fails when its answer exceeds the limit', async () => {
    const provider = aProvider(async function* () {
      for (;;) yield { delta: 'blah '.repeat(20_000) };
    });
    const runId = await setup.accept();
    await setup.engine({ provider }).execute({ runId, generation: 0 });
    expect(await setup.run(runId)).toMatchObject({ errorCode: 'OUTPUT_TOO_LARGE', artifacts: [] });
    const sizes = (await setup.events(runId)).flatMap(({ payload }) =>
      'text' in payload ? [(payload as { text: string }).text.length] : [],
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(32_768);
  });

  it.each(['limited', 'unavailable'] as const)('is retried twice after the fault %s', async (failKind) => {
    const provider = aProvider(() => {
      throw new ProviderFault(failKind, 'come back later');
    });
    const engine = () => setup.engine({ provider });
    const runId = await setup.accept();
    expect(await engine().execute({ runId, generation: 0 })).toBe('retried');
    expect((await setup.run(runId)).status).toBe('queued');
    expect(await engine().execute({ runId, generation: 1 })).toBe('retried');
    expect(await engine().execute({ runId, generation: 2 })).toBe('failed');
    const events = await setup.events(runId);
    const pauses = events.flatMap(({ eventType, payload }) =>
      eventType === 'run.retrying' ? [(payload as { delayMs: number }).delayMs] : [],
    );
    expect(pauses).toHaveLength(2);
    expect(pauses[0]).toBeGreaterThanOrEqual(500);
    const due = await setup.ctx.db.query<{ late: boolean }[]>(
      `select available_at > now() as late from outbox where payload ->> 'runId' = $1 and job_id like '%-g2'`,
      [runId],
    );
    expect(due).toEqual([{ late: true }]);
  });

  it('is retried when the database is away for too long', async () => {
    const keys = Object.assign(new ByokLeases(setup.ctx, undefined), {
      openFor: () => Promise.reject(new Error('Query read timeout')),
    });
    const runId = await setup.accept();
    expect(await setup.engine({ keys }).execute({ runId, generation: 0 })).toBe('retried');
    expect(await setup.run(runId)).toMatchObject({ status: 'queued', errorCode: null });
    expect(await setup.engine().execute({ runId, generation: 1 })).toBe('succeeded');
  });

  it('waits for the time that the provider reports, unless its deadline comes first', async () => {
    const provider = aProvider(() => {
      throw new ProviderFault('limited', 'slowly', 30_000);
    });
    const patient = await setup.accept();
    await setup.engine({ provider }).execute({ runId: patient, generation: 0 });
    const retrying = (await setup.events(patient)).find(({ eventType }) => eventType === 'run.retrying');
    expect(retrying?.payload).toMatchObject({ delayMs: 30_000 });
    const hasty = await setup.accept('now', { timeoutMs: 10_000 });
    expect(await setup.engine({ provider }).execute({ runId: hasty, generation: 0 })).toBe('failed');
    expect((await setup.run(hasty)).errorCode).toBe('PROVIDER_LIMITED');
  });

  it('does not fail other runs of the same statement', async () => {
    const provider = aProvider(async function* ({ prompt }) {
      yield { delta: prompt };
    });
    const engine = setup.engine({ provider });
    const prompts = ['good', 'fine', 'bad', 'well'];
    const runIds = await Promise.all(prompts.map((prompt) => setup.accept(prompt)));
    await setup.ctx.db.query(
      `create or replace function refuse_bad() returns trigger language plpgsql as
         $$ begin if new.content_text = 'bad' then raise exception 'bad is refused'; end if; return new; end $$`,
    );
    await setup.ctx.db.query(
      'create trigger refuse_bad before insert on run_artifacts for each row execute function refuse_bad()',
    );
    const outcomes = await Promise.all(runIds.map((runId) => engine.execute({ runId, generation: 0 })));
    await setup.ctx.db.query('drop trigger refuse_bad on run_artifacts');
    expect(outcomes).toEqual(['succeeded', 'succeeded', 'failed', 'succeeded']);
    expect(await setup.run(runIds[2] ?? '')).toMatchObject({ status: 'failed', errorCode: 'INTERNAL' });
  });
});

describe('an attempt without a lease', () => {
  it('writes nothing more when its provider continues', async () => {
    let goOn: () => void = () => undefined;
    const provider = aProvider(async function* () {
      yield { delta: 'from the first' };
      await new Promise<void>((resolve) => (goOn = resolve));
      yield { delta: ', still talking' };
      yield { usage: { input: 1, output: 1 } };
    });
    const stale = setup.engine({ provider });
    const runId = await setup.accept();
    const first = stale.execute({ runId, generation: 0 });
    await until(async () => (await setup.story(runId)).includes('node.output.delta'));
    await setup.ctx.db.query('update runs set lease_until = now() where id = $1', [runId]);
    await reconcileRuns(asPlatform(), { maxLost: 5, cancelGraceMs: 10_000, limit: 10 });
    const [second] = await claimRuns(setup.ctx, [{ runId, generation: 1, worker: 'other', leaseMs: 60_000 }]);
    expect(second?.attempt).toBe(2);
    const before = await setup.events(runId);

    goOn();
    expect(await first).toBe('lost');
    expect(await setup.events(runId)).toEqual(before);
    expect(await setup.run(runId)).toMatchObject({ status: 'running', artifacts: [] });
    const published = setup.changes.take().events.filter((event) => event.runId === runId);
    expect(published.map(({ eventType }) => eventType)).not.toContain('run.succeeded');
  });

  it('stops when PostgreSQL no longer knows it, and aborts the call to its provider', async () => {
    let aborted = false;
    const provider = aProvider(async function* (_, signal) {
      yield { delta: '' };
      await pause(60_000, undefined, { signal }).catch(() => (aborted = true));
    });
    const engine = setup.engine({ provider, leaseMs: 2000, heartbeatMs: 200 });
    const runId = await setup.accept();
    const run = engine.execute({ runId, generation: 0 });
    await until(async () => (await setup.run(runId)).status === 'running');
    await setup.ctx.db.query('update runs set attempt = attempt + 1 where id = $1', [runId]);
    expect(await run).toBe('lost');
    expect(aborted).toBe(true);
  });

  it('does not call its provider when the process was frozen beyond the lease', async () => {
    let calls = 0;
    const provider = aProvider(async function* () {
      calls += 1;
      yield { delta: 'x' };
    });
    let frozen = 0;
    const timing = {
      now: () => performance.now() + frozen,
      after: (ms: number, work: () => void) => {
        const timer = setTimeout(work, ms);
        return { cancel: () => clearTimeout(timer) };
      },
    };
    const engine = setup.engine({ provider, timing });
    const runId = await setup.accept();
    setup.changes.onChange = () => (frozen = 11_600);
    expect(await engine.execute({ runId, generation: 0 })).toBe('lost');
    setup.changes.onChange = () => undefined;
    expect(calls).toBe(0);
  });

  it('keeps its lease when the clock of the machine is ten minutes wrong', async () => {
    const right = Date.now;
    for (const minutes of [10, -10]) {
      Date.now = () => right() + minutes * 60_000;
      try {
        const engine = setup.engine({ leaseMs: 1500, heartbeatMs: 300 });
        const runId = await setup.accept(script({ pieces: 3, pieceDelayMs: 250 }));
        const run = engine.execute({ runId, generation: 0 });
        Date.now = () => right() - minutes * 60_000;
        await until(async () => (await setup.run(runId)).status === 'running');
        expect(await reconcileRuns(asPlatform(), reconcileLimits)).toMatchObject({ expired: 0, timedOut: 0 });
        expect(await run).toBe('succeeded');
        const [row] = await setup.ctx.db.query<object[]>(
          `select started_at between created_at and completed_at and completed_at <= now() as right_order,
                  deadline_at - started_at < interval '11 minutes' as in_time from runs where id = $1`,
          [runId],
        );
        expect(row).toEqual({ right_order: true, in_time: true });
      } finally {
        Date.now = right;
      }
    }
  });

  it('does not occur while the worker sends heartbeats', async () => {
    const engine = setup.engine({ leaseMs: 1500, heartbeatMs: 300 });
    const runId = await setup.accept(script({ pieces: 10, pieceDelayMs: 250 }));
    const run = engine.execute({ runId, generation: 0 });
    let over = false;
    void run.finally(() => (over = true));
    while (!over) {
      await reconcileRuns(asPlatform(), { maxLost: 5, cancelGraceMs: 10_000, limit: 10 });
      await pause(50);
    }
    expect(await run).toBe('succeeded');
    expect((await setup.run(runId)).status).toBe('succeeded');
    expect(await setup.story(runId)).not.toContain('run.retrying');
  });
});

describe('a running run', () => {
  it('is canceled soon after the request', async () => {
    const engine = setup.engine();
    const runId = await setup.accept(script({ hang: true }));
    const run = engine.execute({ runId, generation: 0 });
    await until(async () => (await setup.run(runId)).status === 'running');
    await cancelRun(setup.ctx, runId);
    expect(await run).toBe('canceled');
    expect(await setup.run(runId)).toMatchObject({ status: 'canceled', errorCode: null });
    expect((await setup.story(runId)).at(-1)).toBe('run.canceled');
  });

  it('is canceled at once when the cancellation is published', async () => {
    const engine = setup.engine();
    const runId = await setup.accept(script({ hang: true }));
    const run = engine.execute({ runId, generation: 0 });
    await until(async () => (await setup.run(runId)).status === 'running');
    engine.leases.check(runId);
    await cancelRun(setup.ctx, runId);
    engine.leases.check(runId);
    expect(await run).toBe('canceled');
  });

  it('has one end when it is canceled as it ends', async () => {
    const engine = setup.engine();
    const runIds = await Promise.all(
      Array.from({ length: 40 }, () => setup.accept(script({ pieces: 2, pieceDelayMs: 5 }))),
    );
    const runs = runIds.map((runId) => engine.execute({ runId, generation: 0 }));
    await Promise.all(
      runIds.map(async (runId, n) => {
        await pause(n / 2);
        await cancelRun(setup.ctx, runId).catch(() => undefined);
        engine.leases.check(runId);
      }),
    );
    await Promise.all(runs);
    for (const runId of runIds) {
      const ends = (await setup.story(runId)).filter((type) => /^run\.(succeeded|canceled)$/.test(type));
      expect(ends).toEqual([`run.${(await setup.run(runId)).status}`]);
    }
  });

  it('ends at its deadline when its provider hangs', async () => {
    const provider = aProvider(async function* () {
      yield { delta: 'deaf' };
      await new Promise(() => undefined);
    });
    const runId = await setup.accept('slow', { timeoutMs: 700 });
    expect(await setup.engine({ provider }).execute({ runId, generation: 0 })).toBe('timed_out');
    expect(await setup.run(runId)).toMatchObject({ status: 'timed_out', errorCode: 'RUN_TIMED_OUT' });
    expect((await setup.story(runId)).at(-1)).toBe('run.timed_out');
  });

  it('is released when the worker stops, and does not count as lost', async () => {
    const engine = setup.engine();
    const runId = await setup.accept(script({ hang: true }));
    const run = engine.execute({ runId, generation: 0 });
    await until(async () => (await setup.run(runId)).status === 'running');
    engine.release();
    expect(await run).toBe('released');
    const rows = await setup.ctx.db.query<object[]>(
      'select status, generation, lost_attempts, worker from runs where id = $1',
      [runId],
    );
    expect(rows).toEqual([{ status: 'queued', generation: 1, lost_attempts: 0, worker: null }]);
    expect((await setup.story(runId)).at(-1)).toBe('run.retrying');
  });
});

describe('a run that costs credits', () => {
  it('is charged for its usage, and the rest of its hold is released', async () => {
    await grantTestCredits(setup.ctx, setup.ctx.actor.accountId, 1000);
    const model = await aPricedModel(setup.ctx, { perThousand: 1000, maxOutputTokens: 50 });
    const runId = await setup.accept('one two three', { modelOverride: model.key });
    await setup.engine().execute({ runId, generation: 0 });
    const run = await setup.run(runId);
    expect(run).toMatchObject({ status: 'succeeded', billingStatus: 'charged' });
    expect(run.creditCost).toBe((run.tokenInput ?? 0) + (run.tokenOutput ?? 0));
    expect((await setup.story(runId)).slice(-3)).toEqual(['credits.charged', 'credits.released', 'run.succeeded']);
    expect(await ledgerFaults(setup.ctx.db)).toEqual([]);
  });

  it('says that its answer was cut off', async () => {
    await grantTestCredits(setup.ctx, setup.ctx.actor.accountId, 1000);
    const model = await aPricedModel(setup.ctx, { perThousand: 1000, maxOutputTokens: 3 });
    const runId = await setup.accept('one two three', { modelOverride: model.key });
    await setup.engine().execute({ runId, generation: 0 });
    expect(await setup.run(runId)).toMatchObject({ status: 'succeeded', finishReason: 'length' });
  });

  it('costs the use that its provider reported when outputSchema refuses its answer', async () => {
    const model = await aPricedModel(setup.ctx, { perThousand: 1000, maxOutputTokens: 50 });
    await setup.ctx.db.query(`update models set capabilities = '{json}' where id = $1`, [model.id]);
    const provider = aProvider(async function* () {
      yield { delta: 'no JSON' };
      yield { usage: { input: 2, output: 7 } };
    });
    const runId = await setup.accept('one two three', { modelOverride: model.key, outputSchema: { type: 'object' } });
    await setup.engine({ provider }).execute({ runId, generation: 0 });
    expect(await setup.run(runId)).toMatchObject({
      errorCode: 'OUTPUT_NOT_VALID',
      billingStatus: 'charged',
      creditCost: 9,
      tokenInput: 2,
      tokenOutput: 7,
    });
    expect(await ledgerFaults(setup.ctx.db)).toEqual([]);
  });

  it.each(['canceled', 'timed_out'] as const)('costs the text that it has delivered when it is %s', async (status) => {
    const model = await aPricedModel(setup.ctx, { perThousand: 1000, maxOutputTokens: 50 });
    const provider = aProvider(async function* () {
      yield { delta: 'four words of text' };
      await new Promise(() => undefined);
    });
    const timeoutMs = status === 'timed_out' ? 700 : 60_000;
    const runId = await setup.accept('one two three', { modelOverride: model.key, timeoutMs });
    const engine = setup.engine({ provider });
    const run = engine.execute({ runId, generation: 0 });
    await until(async () => (await setup.story(runId)).includes('node.output.delta'));
    if (status === 'canceled') await cancelRun(setup.ctx, runId);
    engine.leases.check(runId);
    expect(await run).toBe(status);
    const { creditCost, tokenInput, tokenOutput, billingStatus } = await setup.run(runId);
    expect(billingStatus).toBe('charged');
    expect(tokenOutput).toBeGreaterThan(3);
    expect(creditCost).toBe((tokenInput ?? 0) + (tokenOutput ?? 0));
    expect(await ledgerFaults(setup.ctx.db)).toEqual([]);
  });

  it.each([
    ['the credits of the account', {}, 1000],
    ['its maxCredits', { maxCredits: 40 }, 40],
  ])('that needs more than its hold costs no more than %s', async (_, options, most) => {
    const model = await aPricedModel(setup.ctx, { perThousand: 1000, maxOutputTokens: 10 });
    const owner = actingAs(setup.ctx, (await anAccount(setup.ctx)).id);
    await grantTestCredits(setup.ctx, owner.actor.accountId, 1000);
    const provider = aProvider(async function* () {
      yield { usage: { input: 5000, output: 5000 } };
    });
    const { runId } = await aRun(owner, { modelOverride: model.key, ...options });
    await setup.engine({ provider }).execute({ runId, generation: 0 });
    expect((await readRun(owner, runId)).creditCost).toBe(most);
    expect(await readBalance(owner)).toEqual({ available: 1000 - most, held: 0 });
    expect(await ledgerFaults(setup.ctx.db)).toEqual([]);
  });

  it('that needs more than its hold costs no more than the limit of its credential', async () => {
    const model = await aPricedModel(setup.ctx, { perThousand: 1000, maxOutputTokens: 10 });
    const who = actingAs(setup.ctx, (await anAccount(setup.ctx)).id);
    await grantTestCredits(setup.ctx, who.actor.accountId, 1000);
    const creditLimit = { id: newId(), credits: 50, period: 'total' as const };
    const owner = { ...who, actor: { ...who.actor, credential: { ...who.actor.credential, creditLimit } } };
    const provider = aProvider(async function* () {
      yield { usage: { input: 5000, output: 5000 } };
    });
    const { runId } = await aRun(owner, { modelOverride: model.key });
    const { held } = await readBalance(owner);
    await setup.engine({ provider }).execute({ runId, generation: 0 });
    expect(held).toBeLessThan(50);
    expect((await readRun(owner, runId)).creditCost).toBe(held);
    expect(await ledgerFaults(setup.ctx.db)).toEqual([]);
  });

  it.each([
    ['fails', script({ fail: 'no' })],
    ['is canceled', script({ hang: true })],
  ])('costs nothing when it %s', async (_, prompt) => {
    const model = await aPricedModel(setup.ctx, { perThousand: 1000, maxOutputTokens: 10 });
    const runId = await setup.accept(prompt, { modelOverride: model.key });
    const engine = setup.engine();
    const run = engine.execute({ runId, generation: 0 });
    if (prompt.includes('hang')) {
      await until(async () => (await setup.run(runId)).status === 'running');
      await cancelRun(setup.ctx, runId);
      engine.leases.check(runId);
    }
    await run;
    expect(await setup.run(runId)).toMatchObject({ billingStatus: 'released', creditCost: 0 });
    expect(await ledgerFaults(setup.ctx.db)).toEqual([]);
  });
});

describe('a prompt run', () => {
  it('streams the answer of its model to its prompt', async () => {
    const { runId } = await aPromptRun(setup.ctx, { prompt: script({ pieces: 4, pieceDelayMs: 60 }) });
    const engine = setup.engine();
    expect(await engine.execute({ runId, generation: 0 })).toBe('succeeded');
    const run = await setup.run(runId);
    expect(run).toMatchObject({ kind: 'prompt', status: 'succeeded', creditCost: 0 });
    const pieces = (await setup.events(runId)).flatMap(({ payload }) =>
      'nodeId' in payload && 'text' in payload ? [payload as { nodeId: string; text: string }] : [],
    );
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.every(({ nodeId }) => nodeId === 'prompt')).toBe(true);
    expect(pieces.map(({ text }) => text).join('')).toBe(run.artifacts[0]?.contentText);
  });

  it('is charged for its usage and takes its text literally', async () => {
    const model = await aPricedModel(setup.ctx, { perThousand: 1000, maxOutputTokens: 50 });
    const provider = aProvider(async function* ({ prompt }) {
      yield { delta: prompt };
      yield { usage: { input: 3, output: 4 } };
    });
    const { runId } = await aPromptRun(setup.ctx, { prompt: 'Keep [[Name]] as it is', modelKey: model.key });
    await setup.engine({ provider }).execute({ runId, generation: 0 });
    expect(await setup.run(runId)).toMatchObject({
      status: 'succeeded',
      creditCost: 7,
      artifacts: [{ contentText: 'Keep [[Name]] as it is' }],
    });
    expect(await ledgerFaults(setup.ctx.db)).toEqual([]);
  });

  it('fails, is retried and is canceled like a lens run', async () => {
    const failing = await aPromptRun(setup.ctx, { prompt: script({ fail: 'no', failKind: 'refused' }) });
    expect(await setup.engine().execute({ runId: failing.runId, generation: 0 })).toBe('failed');
    expect((await setup.run(failing.runId)).errorCode).toBe('PROVIDER_REFUSED');
    const limited = await aPromptRun(setup.ctx, { prompt: script({ fail: 'no', failKind: 'limited' }) });
    expect(await setup.engine().execute({ runId: limited.runId, generation: 0 })).toBe('retried');
    const { runId } = await aPromptRun(setup.ctx, { prompt: script({ hang: true }) });
    const run = setup.engine().execute({ runId, generation: 0 });
    await until(async () => (await setup.run(runId)).status === 'running');
    await cancelRun(setup.ctx, runId);
    expect(await run).toBe('canceled');
  });
});

describe('a judging run', () => {
  const accept = async (more: { modelId?: string; hold?: number } = {}): Promise<string> => {
    const params = { battleId: newId() };
    const run = { modelId: null, hold: 0, timeoutMs: 600_000, cause: { kind: 'battle', ...params } };
    const order = { targetId: params.battleId, params, ...run };
    return (await acceptJudgingRun(setup.ctx, { ...order, ...more })).runId;
  };
  const output = (cost = 0) => ({
    artifacts: [
      { id: newId(), kind: 'rubric_result' as const, contentText: null, contentJson: { a: 1 }, isPrimaryOutput: true },
    ],
    tokenInput: 5,
    tokenOutput: 6,
    cost,
  });
  const progress = (judged: number) => [{ type: 'judging.progress' as const, payload: { judged, total: 3 } }];

  it('succeeds with the output of its executor, whose events are stored in order', async () => {
    const runId = await accept();
    const executeJudging: ExecuteJudging = async ({ run }, appendEvents) => {
      expect(run).toMatchObject({
        id: runId,
        kind: 'judging',
        modelId: null,
        params: { battleId: expect.any(String) },
      });
      await Promise.all([1, 2, 3].map((judged) => appendEvents(progress(judged))));
      return output();
    };
    expect(await setup.engine({ executeJudging }).execute({ runId, generation: 0 })).toBe('succeeded');
    expect(await setup.run(runId)).toMatchObject({
      kind: 'judging',
      status: 'succeeded',
      tokenInput: 5,
      tokenOutput: 6,
      modelKey: null,
      artifacts: [{ artifactKind: 'rubric_result', contentJson: { a: 1 } }],
    });
    expect(await setup.story(runId)).toEqual([
      'run.queued',
      'run.started',
      ...Array.from({ length: 3 }, () => 'judging.progress'),
      'artifact.created',
      'run.succeeded',
    ]);
    const judged = (await setup.events(runId)).flatMap(({ payload }) => ('judged' in payload ? [payload.judged] : []));
    expect(judged).toEqual([1, 2, 3]);
  });

  it('is charged at most its hold', async () => {
    const { id: modelId } = await aPricedModel(setup.ctx);
    for (const [cost, charged] of [
      [40, 40],
      [99, 70],
    ] as const) {
      const runId = await accept({ modelId, hold: 70 });
      await setup.engine({ executeJudging: async () => output(cost) }).execute({ runId, generation: 0 });
      expect(await setup.run(runId)).toMatchObject({ creditCost: charged, billingStatus: 'charged' });
    }
    expect(await ledgerFaults(setup.ctx.db)).toEqual([]);
  });

  it('fails with the failure of its executor, and is retried when that may help', async () => {
    const failWith = (failure: RunFailure) => setup.engine({ executeJudging: () => Promise.reject(failure) });
    const runId = await accept();
    const limited = new RunFailure('PROVIDER_LIMITED', 'slowly', { retry: {} });
    expect(await failWith(limited).execute({ runId, generation: 0 })).toBe('retried');
    const refused = new RunFailure('PROVIDER_REFUSED', 'no');
    expect(await failWith(refused).execute({ runId, generation: 1 })).toBe('failed');
    expect(await setup.run(runId)).toMatchObject({ errorCode: 'PROVIDER_REFUSED', artifacts: [] });
  });

  it('stores no event of an attempt that has lost the run', async () => {
    const runId = await accept();
    let append: AppendEvents = () => Promise.resolve();
    const executeJudging: ExecuteJudging = (_, appendEvents) => {
      append = appendEvents;
      return new Promise(() => undefined);
    };
    const run = setup.engine({ executeJudging }).execute({ runId, generation: 0 });
    await until(async () => (await setup.run(runId)).status === 'running');
    await setup.ctx.db.query('update runs set lease_until = now() where id = $1', [runId]);
    await reconcileRuns(asPlatform(), reconcileLimits);
    await claimRuns(setup.ctx, [{ runId, generation: 1, worker: 'other', leaseMs: 60_000 }]);
    const before = await setup.events(runId);
    await expect(append(progress(1))).rejects.toThrow('lost');
    expect(await run).toBe('lost');
    expect(await setup.events(runId)).toEqual(before);
  });
});
