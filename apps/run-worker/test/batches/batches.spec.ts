import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ExperimentRequest, ModelFile, parse } from '@lensforge/contracts';
import { ByokOpener, createByokKey, revokeByokKey } from '@lensforge/byok';
import { aKeyPair } from '@lensforge/byok/testing';
import { platformActor } from '@lensforge/core';
import { readBalance } from '@lensforge/credits';
import { grantTestCredits } from '@lensforge/credits/testing';
import {
  advanceExperiment,
  cancelExperiment,
  changeCases,
  createDataset,
  createExperiment,
  listCells,
  readExperiment,
} from '@lensforge/evaluation';
import { announceProviders, importModels } from '@lensforge/models';
import { aToken } from '@lensforge/identity/testing';
import { admitWaiting, readRun } from '@lensforge/runs';
import { type BatchProvider, type BatchServer, aBatchServer, batchUsage } from '@lensforge/testing';
import { BatchDispatcher } from '../../src/batches/batch-dispatcher.js';
import { ByokLeases } from '../../src/byok-leases.js';
import { anthropicProvider } from '../../src/providers/anthropic.js';
import { googleProvider } from '../../src/providers/google.js';
import { openaiProvider } from '../../src/providers/openai.js';
import { outgoingFetch } from '../../src/providers/outgoing.js';
import { type Providers, providersByKey } from '../../src/providers/providers.js';
import { type EngineSetup, anEngineSetup } from '../engine-setup.js';
import { protocols } from '../wire/protocols.js';

const open = { openai: openaiProvider, anthropic: anthropicProvider, google: googleProvider };
const names = ['openai', 'anthropic', 'google'] as const;
const fetch = outgoingFetch({ to: 'operators', allow: 'loopback', firstByteMs: 20_000, idleMs: 20_000 });
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** The dispatcher looks at once, since the time of the next look is taken back. */
const paceMs = 50;
const leaseMs = 500;

let setup: EngineSetup;
let server: BatchServer;
let providers: Providers;
let dispatcher: BatchDispatcher;
let keys: ByokLeases;

beforeAll(async () => {
  setup = await anEngineSetup();
  const price = { creditsPer1kInput: 1000, creditsPer1kOutput: 1000, maxOutputTokens: 20 };
  const models = names.map((provider) => ({
    key: 'm',
    provider,
    capabilities: ['stream', 'json', 'sampling'],
    ...price,
  }));
  await importModels(setup.ctx, parse(ModelFile, { models }).models);
  await announceProviders(setup.ctx.db, names);
});
afterAll(async () => {
  await setup.close();
});

async function serve(provider: BatchProvider): Promise<void> {
  const protocol = protocols.find(({ key }) => key === provider);
  const frames = protocol?.frames({ pieces: ['live'], usage: batchUsage }) ?? [];
  server = await aBatchServer(provider, { base: protocol?.base ?? '', frames });
  const access = { apiKey: 'sk-test', baseUrl: server.baseUrl, fetch };
  providers = providersByKey([open[provider](access)]);
  const platform = { ...setup.ctx, actor: platformActor };
  keys = new ByokLeases(platform, undefined);
  dispatcher = new BatchDispatcher({
    ctx: platform,
    providers,
    keys,
    log: silent,
    paceMs,
    leaseMs,
  });
}
afterEach(() => server.close());

let count = 0;
async function anExperiment(
  provider: BatchProvider,
  more: Partial<ExperimentRequest> = {},
  cases = 4,
): Promise<string> {
  const { id: datasetId } = await createDataset(setup.ctx, { name: `Dataset ${(count += 1)}` });
  await changeCases(setup.ctx, {
    datasetId,
    save: Array.from({ length: cases }, (_, at) => ({ key: `c${at}`, params: { Prompt: `Word ${at}` } })),
  });
  const { id } = await createExperiment(setup.ctx, {
    target: { lensId: setup.lensId },
    arms: [{ name: 'new', modelOverride: `${provider}/m` }],
    dataset: { id: datasetId },
    scorers: [{ name: 'right', kind: 'check', assertions: [{ type: 'contains', value: 'batch' }] }],
    service: 'batch',
    ...more,
  });
  return id;
}

/** Lets a pass, the workers and the dispatcher do what there is to do. */
async function work(id: string): Promise<void> {
  const platform = { ...setup.ctx, actor: platformActor };
  const { db, actor } = setup.ctx;
  const engine = setup.engine({ providers, keys });
  await db.query(`update model_batches set due_at = now() where status <> 'ended'`);
  for (let round = 0; round < 3; round += 1) {
    await advanceExperiment(platform, id, { timeoutMs: 60_000 });
    await admitWaiting(platform, [{ accountId: actor.accountId, concurrencyKey: null }]);
    const queued = await db.query<{ runId: string; generation: number }[]>(
      `select id as "runId", generation from runs where status = 'queued' and admitted_at is not null`,
    );
    for (const job of queued) await engine.execute(job);
  }
}

/** As if the last request had been collected a while ago. */
const age = () => setup.ctx.db.query(`update batch_calls set created_at = created_at - interval '1 minute'`);

/** Works until the requests are with the service. */
async function untilSent(id: string): Promise<void> {
  await work(id);
  await age();
  await dispatcher.round();
  await dispatcher.round();
}

async function untilEnded(id: string): Promise<void> {
  for (let round = 0; round < 40; round += 1) {
    await work(id);
    await age();
    await dispatcher.round();
    if ((await readExperiment(setup.ctx, id)).completedAt !== null) return;
  }
  throw new Error(`the experiment does not end: ${JSON.stringify(await readExperiment(setup.ctx, id))}`);
}

const cellsOf = async (id: string) => (await listCells(setup.ctx, { experimentId: id }, { limit: 100 })).items;
const balance = () => readBalance(setup.ctx);
const sentPrompts = (): string[] =>
  server.batches.flatMap(({ requests }) => requests.map(({ body }) => JSON.stringify(body)));

beforeEach(async () => {
  await grantTestCredits(setup.ctx, setup.ctx.actor.accountId, 100_000);
});

describe.each(names)('the batch service of %s', (provider) => {
  beforeEach(() => serve(provider));

  it('answers all cells in one batch, at half the price', async () => {
    const before = await balance();
    const id = await anExperiment(provider);
    await untilSent(id);
    expect(server.batches).toHaveLength(1);
    expect(new Set(sentPrompts().map((text) => /Word \d/.exec(text)?.[0]))).toEqual(
      new Set(['Word 0', 'Word 1', 'Word 2', 'Word 3']),
    );
    expect(await readExperiment(setup.ctx, id)).toMatchObject({ service: 'batch', batches: { sent: 4, live: 0 } });
    const [first] = await cellsOf(id);
    expect(await readRun(setup.ctx, first?.runId ?? '')).toMatchObject({ status: 'queued' });
    const held = (await balance()).held;
    server.finish();
    await untilEnded(id);
    const cells = await cellsOf(id);
    expect(cells.map(({ output, credits }) => ({ output, credits }))).toEqual(
      cells.map(() => ({ output: 'from a batch', credits: 7 })),
    );
    expect(await readExperiment(setup.ctx, id)).toMatchObject({ status: 'completed', credits: 28 });
    const after = await balance();
    expect(before.available - after.available).toBe(28);
    expect(after.held).toBe(0);
    // Of each request the tokens of its prompt and 20 of an answer, at half the price.
    expect(held).toBeGreaterThanOrEqual(4 * 10);
    expect(held).toBeLessThan(4 * 20);
    expect(server.live).toEqual([]);
    expect(await setup.ctx.db.query('select run_id from batch_calls')).toEqual([]);
  });

  it('sends live what failed or expired in the batch, at the usual price', async () => {
    const id = await anExperiment(provider);
    server.verdict = (text) =>
      text.includes('Word 1') ? 'errored' : text.includes('Word 2') ? 'expired' : { text: 'from a batch' };
    await untilSent(id);
    server.finish();
    await untilEnded(id);
    expect((await cellsOf(id)).map(({ output, credits }) => [output, credits])).toEqual([
      ['from a batch', 7],
      ['live', 14],
      ['live', 14],
      ['from a batch', 7],
    ]);
    expect(server.live).toHaveLength(2);
    expect((await balance()).held).toBe(0);
  });

  it('stops a late batch, keeps what it has, and sends the rest live at the deadline', async () => {
    const id = await anExperiment(provider);
    await untilSent(id);
    await setup.ctx.db.query(
      `update model_batches set created_at = now() - interval '24 hours', complete_by = now() + interval '1 minute'`,
    );
    await work(id);
    await dispatcher.round();
    expect(server.batches.map(({ state }) => state)).toEqual(['canceling']);
    server.finish();
    await untilEnded(id);
    expect((await cellsOf(id)).map(({ output }) => output).toSorted()).toEqual([
      'from a batch',
      'from a batch',
      'live',
      'live',
    ]);
  });

  it('asks live at the deadline while the service says nothing, and ignores what comes later', async () => {
    const id = await anExperiment(provider);
    await untilSent(id);
    await setup.ctx.db.query('update batch_calls set complete_by = now()');
    await work(id);
    server.finish();
    await untilEnded(id);
    expect((await cellsOf(id)).map(({ output, credits }) => [output, credits])).toEqual(
      Array.from({ length: 4 }, () => ['live', 14]),
    );
    expect((await balance()).held).toBe(0);
  });

  it('finds a batch whose answer was lost, and sends nothing twice', async () => {
    const id = await anExperiment(provider);
    server.troubles = ['lost answer'];
    await untilSent(id);
    // A batch of another program with as many requests stands beside it.
    const [own] = server.batches;
    if (own) {
      const foreign = own.requests.map((each, at) => ({ ...each, customId: `other-${at}` }));
      server.batches.push({ ...own, name: own.name.replace('b0', 'b9'), label: 'other', requests: foreign });
    }
    server.finish();
    await untilEnded(id);
    expect(server.batches).toHaveLength(2);
    expect((await cellsOf(id)).map(({ output }) => output)).toEqual(Array.from({ length: 4 }, () => 'from a batch'));
    expect(server.live).toEqual([]);
  });

  it('sends a batch again that never arrived, and one that the service was too busy for', async () => {
    const id = await anExperiment(provider);
    server.troubles = ['never arrived', 'busy'];
    await untilSent(id);
    expect(server.batches).toEqual([]);
    await setup.ctx.db.query(`update model_batches set sent_at = sent_at - interval '1 minute'`);
    for (let round = 0; round < 8 && server.batches.length === 0; round += 1) {
      await work(id);
      await dispatcher.round();
    }
    expect(server.batches).toHaveLength(1);
    server.finish();
    await untilEnded(id);
    expect(server.batches).toHaveLength(1);
    expect(server.live).toEqual([]);
  });

  it('sends everything live when the service refuses the batch', async () => {
    const id = await anExperiment(provider);
    server.troubles = ['refused'];
    await untilSent(id);
    await untilEnded(id);
    expect(server.live).toHaveLength(4);
    expect(await readExperiment(setup.ctx, id)).toMatchObject({ status: 'completed' });
  });

  it('stops a batch whose experiment is canceled', async () => {
    const id = await anExperiment(provider);
    await untilSent(id);
    await cancelExperiment(setup.ctx, id);
    await untilEnded(id);
    for (let round = 0; round < 3; round += 1) {
      await work(id);
      await dispatcher.round();
    }
    expect(server.batches.map(({ state }) => state)).toEqual(['canceling']);
    expect(await readExperiment(setup.ctx, id)).toMatchObject({ status: 'canceled', credits: 0 });
    expect((await balance()).held).toBe(0);
  });

  it('takes an answer with a schema', async () => {
    const outputSchema = {
      type: 'object',
      properties: { word: { type: 'string' } },
      required: ['word'],
      additionalProperties: false,
    };
    const candidate = {
      templateBody: '[[Prompt]], please, and then some more words to be long enough.',
      settings: { outputSchema },
    };
    const id = await anExperiment(provider, { arms: [{ name: 'new', candidate, modelOverride: `${provider}/m` }] });
    server.verdict = () => ({ text: '{"word":"batch"}' });
    await untilSent(id);
    expect(sentPrompts()[0]).toContain('word');
    server.finish();
    await untilEnded(id);
    expect((await cellsOf(id))[0]).toMatchObject({ output: '{"word": "batch"}', credits: 7 });
  });
});

describe('money', () => {
  beforeEach(() => serve('openai'));

  it('never exceeds a budget, also when requests are sent live', async () => {
    const id = await anExperiment('openai', { budget: 60 }, 5);
    server.verdict = () => 'errored';
    await untilSent(id);
    server.finish();
    for (let round = 0; round < 12; round += 1) {
      await work(id);
      await age();
      await dispatcher.round();
      server.finish();
    }
    const cells = await cellsOf(id);
    const { credits, status } = await readExperiment(setup.ctx, id);
    const live = cells.filter(({ output }) => output === 'live').length;
    expect(credits).toBe(live * 14);
    expect(credits).toBeLessThanOrEqual(60);
    // Four requests fit into the budget in a batch. For want of it the first one fails, and its credits pay for others.
    expect(live).toBeGreaterThanOrEqual(2);
    expect(cells.find(({ error }) => error !== null)?.error).toContain('the budget of its experiment does not suffice');
    expect(status).not.toBe('running');
    expect((await balance()).held).toBe(0);
  });

  it('fails a request that cannot be paid live', async () => {
    const id = await anExperiment('openai');
    server.verdict = () => 'errored';
    await untilSent(id);
    await setup.ctx.db.query('update credit_accounts set available = 0 where account_id = $1', [
      setup.ctx.actor.accountId,
    ]);
    server.finish();
    await untilEnded(id);
    const cells = await cellsOf(id);
    expect(cells.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(cells[0]?.error).toContain('it cannot be asked live');
    expect(server.live).toEqual([]);
  });
});

describe('a BYOK key', () => {
  beforeEach(() => serve('anthropic'));

  it('pays for its batch, and for nothing after it was revoked', async () => {
    const opener = new ByokOpener(await aKeyPair({ ...setup.ctx, actor: platformActor }));
    const { id: byokKeyRefId } = await createByokKey(setup.ctx, {
      provider: 'anthropic',
      label: 'own',
      secret: 'sk-of-the-user',
    });
    keys = new ByokLeases({ ...setup.ctx, actor: platformActor }, opener);
    dispatcher = new BatchDispatcher({
      ctx: { ...setup.ctx, actor: platformActor },
      providers,
      keys,
      log: silent,
      paceMs,
      leaseMs,
    });
    const before = await balance();
    const byKey = { fundingSource: 'user_byok_cloud' as const, byokKeyRefId };
    const id = await anExperiment('anthropic', byKey);
    await untilSent(id);
    server.finish();
    await untilEnded(id);
    expect([...server.keys]).toEqual(['sk-of-the-user']);
    expect((await cellsOf(id)).map(({ output, credits }) => [output, credits])).toEqual(
      Array.from({ length: 4 }, () => ['from a batch', 0]),
    );
    expect(await balance()).toEqual(before);
    const second = await anExperiment('anthropic', byKey);
    await work(second);
    await revokeByokKey(setup.ctx, byokKeyRefId);
    await age();
    await dispatcher.round();
    await untilEnded(second);
    expect(server.batches).toHaveLength(1);
    expect((await cellsOf(second))[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('revoked') });
    expect(server.live).toEqual([]);
  });
});

describe('a token that was revoked', () => {
  beforeEach(() => serve('openai'));

  it('sends nothing live any more, and keeps the answers that a batch has', async () => {
    const { id: datasetId } = await createDataset(setup.ctx, { name: 'By token' });
    const save = [0, 1].map((at) => ({ key: `c${at}`, params: { Prompt: `Word ${at}` } }));
    await changeCases(setup.ctx, { datasetId, save });
    const held = ['lenses:read', 'lenses:write'] as const;
    const token = await aToken(setup.ctx, { accountId: setup.ctx.actor.accountId, held });
    const actor = { ...setup.ctx.actor, credential: { kind: 'developer', id: token.id } as const, scopes: held };
    const { id } = await createExperiment(
      { ...setup.ctx, actor },
      {
        target: { lensId: setup.lensId },
        arms: [{ name: 'new', modelOverride: 'openai/m' }],
        dataset: { id: datasetId },
        scorers: [{ name: 'right', kind: 'check', assertions: [{ type: 'contains', value: 'batch' }] }],
        service: 'batch',
      },
    );
    server.verdict = (text) => (text.includes('Word 1') ? 'errored' : { text: 'from a batch' });
    await untilSent(id);
    await setup.ctx.db.query('update api_tokens set revoked_at = now() where id = $1', [token.id]);
    server.finish();
    await untilEnded(id);
    const [answered, failed] = await cellsOf(id);
    expect(answered?.output).toBe('from a batch');
    expect(failed?.error).toContain('the token that started it was revoked');
    expect(server.live).toEqual([]);
    expect((await balance()).held).toBe(0);
  });
});

describe('a worker that is lost', () => {
  beforeEach(() => serve('anthropic'));

  it('leaves its batch to another, which finds it at the service', async () => {
    const id = await anExperiment('anthropic');
    await work(id);
    await age();
    const lost = new BatchDispatcher({
      ctx: { ...setup.ctx, actor: platformActor },
      providers,
      keys: { openFor: () => Promise.resolve(undefined) } as unknown as ByokLeases,
      log: silent,
      paceMs,
      leaseMs,
    });
    await lost.round();
    server.troubles = ['lost answer'];
    await lost.round();
    expect(server.batches).toHaveLength(1);
    server.finish();
    await untilEnded(id);
    expect(server.batches).toHaveLength(1);
    expect((await cellsOf(id)).every(({ output }) => output === 'from a batch')).toBe(true);
  });
});

describe('an experiment that a batch cannot answer', () => {
  beforeEach(() => serve('openai'));

  it.each([
    ['a model without a batch service', { arms: [{ modelOverride: 'offline/echo' }] }, /has no batch service/],
    ['a gate about latency', { gate: { rules: [{ maxLatencyP95Ms: 5 }] } }, /maxLatencyP95Ms/],
    ['a sponsor', { fundingSource: 'sponsored' as const }, /cannot pay/],
    ['a window for live answers', { service: 'live' as const, completeWithinSeconds: 60 }, /is for the service batch/],
  ])('is refused for %s', async (_, more, message) => {
    await expect(anExperiment('openai', more)).rejects.toThrow(message);
  });
});
