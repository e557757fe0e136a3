import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LensSettings } from '@lensforge/contracts';
import { type Context, isUuid, newId } from '@lensforge/core';
import { CreditAccount } from '@lensforge/credits';
import { openDatabase } from '@lensforge/database';
import type { Lens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { type RunsDatabase, openRunsDatabase, plenty } from '../../test/runs-database.js';
import { importModels } from '@lensforge/models';
import { type LensRunOrder, acceptLensRun, limitRuns, readEvents, retryRun } from '../index.js';
import { type Insertion, insertRuns } from './insert-runs.js';
import { getAcceptance } from './batching/acceptance.js';
import { Run } from '../run.entity.js';

let database: RunsDatabase;
let ctx: Context;
let lens: Lens;

beforeAll(async () => {
  database = await openRunsDatabase();
  ctx = { ...database.ctx, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  lens = await aLens(ctx);
});
afterAll(async () => {
  expect(await database.faults()).toEqual([]);
  await database.close();
});

const order = (more: Partial<LensRunOrder> = {}): LensRunOrder => ({
  lensId: lens.id,
  params: { Name: 'Ada' },
  timeoutMs: 60_000,
  ...more,
});
const accept = (more?: Partial<LensRunOrder>, who = ctx) => acceptLensRun(who, order(more));
const load = (id: string) => database.source.manager.findOneByOrFail(Run, { id });
const tables = ['runs', 'run_events', 'idempotency_keys', 'outbox', 'credit_entries'];
const counts = () => Promise.all(tables.map((table) => database.rowsIn(table)));

describe('acceptLensRun', () => {
  it('refuses a caller who may not run the lens', async () => {
    const hidden = await aLens(ctx, { visibility: 'private' });
    const stranger = { ...ctx, actor: { ...ctx.actor, accountId: newId() } };
    await expect(accept({ lensId: hidden.id }, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('refuses images for a local runner, also those of the lens', async () => {
    const image = { mediaType: 'image/png', data: 'aGFsbG8=' };
    const refused = { message: expect.stringContaining('sends no images to its runner') };
    const modelOverride = 'offline/seeing';
    const seeing = {
      creditsPer1kInput: 0,
      creditsPer1kOutput: 0,
      capabilities: ['images' as const, 'image_urls' as const],
    };
    await importModels(database.platform, [{ provider: 'offline', key: 'seeing', ...seeing }]);
    const order = { fundingSource: 'user_byok_local' as const, modelOverride };
    await expect(accept({ ...order, params: { Name: { image } } })).rejects.toMatchObject(refused);
    const withPhoto = await aLens(ctx, {
      templateBody: '[[@user]]\n[[@image image/png https://example.com/a.png]]\nSay in a few words what this is.',
    });
    await expect(accept({ ...order, lensId: withPhoto.id, params: {} })).rejects.toMatchObject(refused);
  });

  it('writes the run with its pinned version, first event and job', async () => {
    const { runId, status } = await accept();
    const job = database.changes.takeJob(runId);
    expect(status).toBe('queued');
    const run = await load(runId);
    expect(run).toMatchObject({
      requestId: ctx.requestId,
      accountId: ctx.actor.accountId,
      kind: 'lens',
      lensId: lens.id,
      lensVersionId: lens.headVersionId,
      workflowId: null,
      status: 'queued',
      params: { Name: 'Ada' },
      fundingSource: null,
      generation: 0,
      attempt: 0,
      lostAttempts: 0,
      lastSequence: 1,
      leaseUntil: null,
      startedAt: null,
      completedAt: null,
      creditHold: '0',
      creditCost: null,
      billingStatus: 'none',
      traceparent: ctx.traceparent,
    });
    expect(run.deadlineAt.getTime() - run.queuedAt.getTime()).toBe(60_000);
    const events = await readEvents(database.platform, runId, 0);
    expect(events).toEqual([
      {
        eventType: 'run.queued',
        payload: { kind: 'lens', generation: 0 },
        occurredAt: run.createdAt.toISOString(),
        runId,
        sequence: 1,
      },
    ]);
    expect(job).toMatchObject({
      job: 'run.execute',
      jobId: `${runId}-g0`,
      payload: { runId, generation: 0 },
      requestId: ctx.requestId,
      traceparent: ctx.traceparent,
    });
    const [row] = await database.source.query<object[]>(
      `select id, job, job_id as "jobId", payload, request_id as "requestId", traceparent, priority,
              claimed_until > now() as "isSpokenFor" from outbox where job_id = $1`,
      [`${runId}-g0`],
    );
    const { availableAt: _, ...published } = job!;
    expect(row).toEqual({ ...published, isSpokenFor: true });
  });

  it('stores parameters exactly', async () => {
    const params = JSON.parse(
      '{"Name":"[[Name]] $& 🦊 \\u2028","nested":{"a":[1,null,{"b":1.5e300}]},"__proto__":{"x":1},"":""}',
    ) as Record<string, unknown>;
    const { runId } = await accept({ params });
    expect(JSON.stringify((await load(runId)).params.nested)).toBe(JSON.stringify(params['nested']));
    expect(Object.keys((await load(runId)).params).sort()).toEqual(Object.keys(params).sort());
  });

  it('accepts a hundred concurrent runs separately', async () => {
    const accepted = await Promise.all(
      Array.from({ length: 100 }, (_, index) => accept({ params: { Name: `${index}` } })),
    );
    expect(new Set(accepted.map(({ runId }) => runId)).size).toBe(100);
    for (const [index, { runId }] of accepted.entries()) {
      expect((await load(runId)).params).toEqual({ Name: `${index}` });
    }
  });

  it('pins the head version at the time of acceptance', async () => {
    const own = await aLens(ctx, { templateBody: 'one' });
    const { runId } = await accept({ lensId: own.id.toUpperCase() });
    const next = newId();
    await database.source.query(
      `insert into lens_versions (id, lens_id, semver, template_body, params) values ($1, $2, '2.0.0', 'two', '[]')`,
      [next, own.id],
    );
    await database.source.query('update lenses set head_version_id = $1 where id = $2', [next, own.id]);
    const later = await accept({ lensId: own.id });
    expect((await load(runId)).lensVersionId).toBe(own.headVersionId);
    expect((await load(later.runId)).lensVersionId).toBe(next);
  });

  it('accepts a model by id, key or full name, and a provider', async () => {
    const [model] = await database.source.query<[{ id: string }]>(`select id from models where key = 'echo'`);
    const { pricey } = database;
    for (const request of [
      {},
      { modelOverride: model.id },
      { modelOverride: 'echo' },
      { modelOverride: 'offline/echo' },
      { providerOverride: 'offline' },
      { modelOverride: 'echo', providerOverride: 'offline' },
    ]) {
      expect((await load((await accept(request)).runId)).modelId).toBe(model.id);
    }
    expect((await load((await accept({ modelOverride: pricey.key })).runId)).modelId).toBe(pricey.id);
  });
});

describe('acceptLensRun with an invalid request', () => {
  const echoNames = () => expect.stringContaining('usable are offline/echo');
  const cases: [string, Partial<LensRunOrder>, object][] = [
    ['a missing parameter', { params: { Tone: 'x' } }, { code: 'MISSING_PARAMS', details: { missing: ['Name'] } }],
    [
      'an unknown lens',
      { lensId: '01a1fbcf-f22a-755a-9fa0-9bff31b15faf' },
      { code: 'NOT_FOUND', message: expect.stringContaining('There is no lens with the id 01a1fbcf') },
    ],
    ['an unknown model', { modelOverride: 'gpt-9' }, { code: 'BAD_INPUT', message: echoNames() }],
    [
      'an unknown provider',
      { providerOverride: 'acme' },
      { code: 'BAD_INPUT', message: 'providerOverride: there is no provider acme; usable are offline' },
    ],
    [
      'a model of another provider',
      { modelOverride: 'acme/echo', providerOverride: 'offline' },
      { code: 'BAD_INPUT', message: expect.stringContaining('there is no model acme/echo') },
    ],
    [
      'a missing BYOK key',
      { fundingSource: 'user_byok_cloud' },
      { code: 'BAD_INPUT', message: 'byokKeyRefId is required when fundingSource is user_byok_cloud' },
    ],
    [
      'an unknown BYOK key',
      { fundingSource: 'user_byok_cloud', byokKeyRefId: 'k1' },
      { code: 'BAD_INPUT', message: 'byokKeyRefId: you have no BYOK key with the id k1' },
    ],
    [
      'a BYOK key without its funding source',
      { byokKeyRefId: 'k1' },
      { code: 'BAD_INPUT', message: 'byokKeyRefId requires fundingSource user_byok_cloud' },
    ],
    [
      'a BYOK key with another funding source',
      { byokKeyRefId: 'k1', fundingSource: 'platform_credit' },
      { code: 'BAD_INPUT', message: 'byokKeyRefId requires fundingSource user_byok_cloud' },
    ],
    [
      'a missing sponsor pool',
      { fundingSource: 'sponsored' },
      { code: 'BAD_INPUT', message: 'fundingSource: sponsored cannot be used: this lens has no sponsor pool' },
    ],
  ];

  it.each(cases)('explains %s and writes nothing', async (_, request, refusal) => {
    const before = await counts();
    await expect(accept({ ...request, idempotencyKey: newId() })).rejects.toMatchObject(refusal);
    expect(await counts()).toEqual(before);
  });

  it('refuses a caller without the scope, or a private lens of another account', async () => {
    const before = await counts();
    const weak = { ...ctx, actor: { ...ctx.actor, scopes: ['workflows:write' as const] } };
    await expect(accept({}, weak)).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: { scope: 'lenses:read' },
    });
    const secret = await aLens(await database.anAccount(), { visibility: 'private' });
    await expect(accept({ lensId: secret.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await counts()).toEqual(before);
  });

  it('does not affect valid requests in the same batch', async () => {
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => accept(index % 2 === 0 ? {} : { modelOverride: 'gpt-9' })),
    );
    expect(settled.map(({ status }) => status)).toEqual(
      settled.map((_, index) => (index % 2 === 0 ? 'fulfilled' : 'rejected')),
    );
  });
});

describe('an idempotency key', () => {
  it('used a hundred times at once over two connection pools starts one run', async () => {
    const other = await openDatabase({ url: database.url, applicationName: 'other gateway' });
    limitRuns(other, plenty);
    const gateways = [ctx, { ...ctx, db: other.manager }];
    for (let key = 0; key < 5; key += 1) {
      const before = await counts();
      const idempotencyKey = `race ${key}`;
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => accept({ idempotencyKey }, gateways[index % 2])),
      );
      expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1);
      expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(await counts()).toEqual(
        before.map((count, table) => count + (tables[table] === 'credit_entries' ? 0 : 1)),
      );
    }
    await other.destroy();
  });

  it('used a hundred times at once for a paid run starts one run with one hold', async () => {
    const who = await database.anAccount(10_000);
    const request = { idempotencyKey: 'dear', modelOverride: database.pricey.key };
    const answers = await Promise.all(Array.from({ length: 100 }, () => accept(request, who)));
    expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1);
    const held = await database.source.query('select 1 from credit_entries where run_id = $1', [answers[0]?.runId]);
    expect(held).toHaveLength(1);
  });

  it('returns the same run with its current status', async () => {
    const idempotencyKey = newId();
    const first = await accept({ idempotencyKey });
    await database.set(first.runId, `status = 'canceled', completed_at = now()`);
    expect(await accept({ idempotencyKey })).toEqual({ runId: first.runId, status: 'canceled', isNew: false });
  });

  it('belongs to its account and target', async () => {
    const idempotencyKey = newId();
    const other = await database.anAccount();
    const lens2 = await aLens(ctx);
    const runs = [
      await accept({ idempotencyKey }),
      await accept({ idempotencyKey }, other),
      await accept({ idempotencyKey, lensId: lens2.id }),
      await accept({ idempotencyKey: `${idempotencyKey} ` }),
    ];
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(4);
  });

  it('recognises the same request in any order of members, and refuses another request', async () => {
    const idempotencyKey = newId();
    const params = { Name: 'Ada', b: { x: [1, { p: 1, q: 2 }], y: 2 }, a: 1 };
    const first = await accept({ idempotencyKey, params });
    const shuffled = { a: 1, b: { y: 2, x: [1, { q: 2, p: 1 }] }, Name: 'Ada' };
    expect(await accept({ params: shuffled, idempotencyKey })).toMatchObject({ runId: first.runId });
    const others: Partial<LensRunOrder>[] = [
      { params: { ...params, a: 2 } },
      { params: { ...params, a: '1' } },
      { params: { ...params, b: { ...params.b, x: [{ p: 1, q: 2 }, 1] } } },
      { params, modelOverride: 'echo' },
      { params, providerOverride: 'offline' },
      { params, fundingSource: 'platform_credit' },
    ];
    const before = await counts();
    for (const other of others) {
      await expect(accept({ ...other, idempotencyKey })).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
        message: 'This idempotency key was used for another request in the last 24 hours: choose a new one',
      });
    }
    expect(await counts()).toEqual(before);
  });

  it('used at once for two different requests accepts one and refuses the other', async () => {
    const idempotencyKey = newId();
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        accept({ idempotencyKey, params: { Name: index < 10 ? 'Ada' : 'Bob' } }),
      ),
    );
    const done = settled.filter((one) => one.status === 'fulfilled');
    expect(done).toHaveLength(10);
    expect(new Set(done.map(({ value }) => value.runId)).size).toBe(1);
    for (const one of settled) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    }
  });

  it('can be used again after a day, and not earlier', async () => {
    const idempotencyKey = newId();
    const first = await accept({ idempotencyKey });
    const expire = (when: string) =>
      database.source.query(`update idempotency_keys set expires_at = now() + $1::interval where run_id = $2`, [
        when,
        first.runId,
      ]);
    const [{ left }] = await database.source.query<[{ left: number }]>(
      `select extract(epoch from expires_at - now())::int as left from idempotency_keys where run_id = $1`,
      [first.runId],
    );
    expect(Math.round(left / 60)).toBe(24 * 60);
    await expire('1 s');
    expect((await accept({ idempotencyKey })).runId).toBe(first.runId);
    await expire('-1 s');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => accept({ idempotencyKey, params: { Name: 'Eve' } })),
    );
    const [second] = answers;
    expect(second?.runId).not.toBe(first.runId);
    expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1);
    await expect(accept({ idempotencyKey })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('returns the run of the same request even if the lens has changed or was deleted', async () => {
    const own = await aLens(ctx);
    const request = { lensId: own.id, idempotencyKey: newId() };
    const { runId } = await accept(request);
    const next = newId();
    await database.source.query(
      `insert into lens_versions (id, lens_id, semver, template_body, params)
       values ($1, $2, '2.0.0', '[[Name]] [[Age]]', '[]')`,
      [next, own.id],
    );
    await database.source.query('update lenses set head_version_id = $1 where id = $2', [next, own.id]);
    expect(await accept(request)).toEqual({ runId, status: 'queued', isNew: false });
    await expect(accept({ ...request, params: { Name: 'Bob' } })).rejects.toMatchObject({ code: 'MISSING_PARAMS' });
    await database.source.query('update lenses set deleted_at = now() where id = $1', [own.id]);
    expect(await accept(request)).toEqual({ runId, status: 'queued', isNew: false });
    await expect(accept(request, await database.anAccount())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('acceptLensRun for a paid run', () => {
  const balanceOf = async ({ actor: { accountId } }: Context) => {
    const { available, held } = await database.source.manager.findOneByOrFail(CreditAccount, { accountId });
    return [Number(available), Number(held)];
  };
  const dear = () => ({ modelOverride: database.pricey.key });

  it('holds the maximum cost', async () => {
    const who = await database.anAccount(1000);
    const { runId } = await accept(dear(), who);
    const run = await load(runId);
    const hold = Number(run.creditHold);
    expect(hold).toBeGreaterThan(100);
    expect(run).toMatchObject({ billingStatus: 'reserved', lastSequence: 2 });
    expect(await balanceOf(who)).toEqual([1000 - hold, hold]);
    expect(
      (await readEvents(database.platform, runId, 0)).map(({ eventType, payload }) => [eventType, payload]),
    ).toEqual([
      ['run.queued', { kind: 'lens', generation: 0 }],
      ['credits.reserved', { amount: hold }],
    ]);
  });

  it('writes nothing when the account has too few credits', async () => {
    const who = await database.anAccount(50);
    const before = await counts();
    await expect(accept({ ...dear(), idempotencyKey: 'poor' }, who)).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      details: { needed: expect.any(Number) },
    });
    expect(await counts()).toEqual(before);
    expect(await balanceOf(who)).toEqual([50, 0]);
    await expect(accept({ idempotencyKey: 'poor' }, who)).resolves.toBeDefined();
  });

  it('shares a commit with concurrent runs on the same credits', async () => {
    const who = await database.anAccount(1_000_000);
    const accepted = await Promise.all(Array.from({ length: 100 }, () => accept(dear(), who)));
    const [found] = await database.source.query<[{ runs: number; commits: number; held: number }]>(
      `select count(*)::int as runs, count(distinct xmin::text)::int as commits, sum(credit_hold)::int as held
         from runs where id = any ($1)`,
      [accepted.map(({ runId }) => runId)],
    );
    expect(found.runs).toBe(100);
    expect(found.commits).toBeLessThan(50);
    expect(await balanceOf(who)).toEqual([1_000_000 - found.held, found.held]);
  });

  it('accepts ten of two hundred concurrent runs when the credits suffice for ten', async () => {
    const who = await database.anAccount();
    const [{ hold }] = await database.source.query<[{ hold: number }]>(
      `select credit_hold::int as hold from runs where credit_hold > 0 limit 1`,
    );
    await database.source.query('update credit_accounts set available = $1 where account_id = $2', [
      hold * 10,
      who.actor.accountId,
    ]);
    await database.source.query(
      `insert into credit_entries (id, account_id, kind, debit, credit, amount)
       values ($1, $2, 'grant', 'platform', 'available', $3)`,
      [newId(), who.actor.accountId, hold * 10],
    );
    const settled = await Promise.allSettled(Array.from({ length: 200 }, () => accept(dear(), who)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const one of settled) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    }
    expect(await balanceOf(who)).toEqual([0, hold * 10]);
  });

  it('accepts the run once when the response to its commit is lost', async () => {
    const who = await database.anAccount(1000);
    let commits = 0;
    const db = Object.create(who.db) as Context['db'];
    const commit = who.db.transaction.bind(who.db) as (work: unknown) => Promise<unknown>;
    db.transaction = async (work: unknown) => {
      const outcome = await commit(work);
      commits += 1;
      if (commits === 1) throw Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' });
      return outcome;
    };
    const before = await database.rowsIn('runs');
    const { runId } = await accept({ ...dear(), idempotencyKey: newId() }, { ...who, db });
    expect(commits).toBe(2);
    expect(database.changes.takeJob(runId)?.jobId).toBe(`${runId}-g0`);
    expect(await database.rowsIn('runs')).toBe(before + 1);
    const { creditHold } = await load(runId);
    expect(await balanceOf(who)).toEqual([1000 - Number(creditHold), Number(creditHold)]);
  });
});

describe('insertRuns', () => {
  it('returns the stored runs when it is repeated after a lost response', async () => {
    const { runId } = await accept();
    const run = {
      id: newId(),
      requestId: newId(),
      accountId: ctx.actor.accountId,
      kind: 'lens' as const,
      targetId: lens.id,
      lensId: lens.id,
      lensVersionId: lens.headVersionId,
      params: {},
      modelId: (await load(runId)).modelId,
      fundingSource: null,
      hold: 0,
      timeoutMs: 1000,
      traceparent: null,
      fingerprint: 'ab'.repeat(32),
      outboxId: newId(),
    };
    const keyed = { ...run, id: newId(), outboxId: newId(), key: newId() };
    const both = [{ ...run, key: null }, keyed];
    const insert = async () =>
      (await insertRuns(database.platform, both, getAcceptance(database.platform))) as Insertion[];
    const first = await insert();
    const before = await counts();
    const again = await insert();
    expect(first.map(({ isNew, isWritten }) => [isNew, isWritten])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(again.map(({ isNew, isWritten }) => [isNew, isWritten])).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(again.map(({ runId }) => runId)).toEqual([run.id, keyed.id]);
    expect(await counts()).toEqual(before);
    expect(first.every(({ runId }) => isUuid(runId))).toBe(true);
  });
});

describe('a lens with settings', () => {
  const outputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const withSettings = (settings: LensSettings) => aLens(ctx, { settings });

  it('decides about the model, its sampling and the schema of the answer', async () => {
    const { id: lensId } = await withSettings({
      models: ['offline/echo'],
      outputSchema,
      sampling: { maxOutputTokens: 5 },
    });
    const { runId } = await accept({ lensId, sampling: { seed: 1 } });
    const run = await load(runId);
    expect(run).toMatchObject({ outputSchema, sampling: { maxOutputTokens: 5, seed: 1 } });
    const refused = accept({ lensId, sampling: { maxOutputTokens: 6 } });
    await expect(refused).rejects.toMatchObject({ details: { issues: [{ path: 'sampling.maxOutputTokens' }] } });
  });

  it('takes the first of its models that can be used', async () => {
    const keyless = 'acme/keyless';
    await importModels(ctx, [
      { provider: 'acme', key: 'keyless', displayName: 'Keyless', creditsPer1kInput: 1, creditsPer1kOutput: 1 },
    ]);
    const { id: lensId } = await withSettings({ models: [keyless, 'offline/echo'] });
    const { modelId } = await load((await accept({ lensId })).runId);
    const { id: only } = await withSettings({ models: [keyless] });
    await expect(accept({ lensId: only })).rejects.toThrow(`none of the models of this lens can be used: ${keyless}`);
    expect((await load((await accept({ modelOverride: 'offline/echo' })).runId)).modelId).toBe(modelId);
  });

  it('holds the credits for all its messages', async () => {
    const pricey = database.pricey.key;
    const one = await aLens(ctx, {
      templateBody: 'A question of a customer: [[Name]]',
      settings: { models: [`offline/${pricey}`] },
    });
    const all = await aLens(ctx, {
      templateBody: undefined,
      messages: [
        { role: 'system', text: 'Rules. '.repeat(500) },
        { role: 'user', text: 'A question of a customer: [[Name]]' },
      ],
      settings: { models: [`offline/${pricey}`] },
    });
    const hold = async (lensId: string): Promise<number> =>
      Number((await load((await accept({ lensId })).runId)).creditHold);
    expect(await hold(all.id)).toBeGreaterThan((await hold(one.id)) + 900);
  });

  it('lets a run be repeated with its model', async () => {
    const { id: lensId } = await withSettings({ models: ['offline/echo'], sampling: { seed: 7 } });
    const { runId } = await accept({ lensId });
    await database.set(runId, `status = 'canceled', completed_at = now()`);
    const again = await retryRun(ctx, { runId });
    expect(await load(again.runId)).toMatchObject({ sampling: { seed: 7 }, parentRunId: runId });
  });
});
