import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ByokOpener, createByokKey, readableByokKey, revokeByokKey, startByokTest } from '@lensforge/byok';
import { aKeyPair } from '@lensforge/byok/testing';
import type { LensRunOrder } from '@lensforge/runs';
import { usableModels } from '@lensforge/models';
import { type EngineSetup, anEngineSetup } from '../test/engine-setup.js';
import { ByokTests } from './byok-tests.js';
import type { EngineParts } from './engine/run.js';
import { ByokLeases } from './byok-leases.js';
import { type Provider, ProviderFault, type ProviderPart, type ProviderRequest } from './providers/provider.js';
import { providersByKey } from './providers/providers.js';

let setup: EngineSetup;
let keys: ByokLeases;
let opener: ByokOpener;
const secret = 'sk-live-c2FVsBQIhrscChlQIMV';

beforeAll(async () => {
  setup = await anEngineSetup();
  opener = new ByokOpener(await aKeyPair(setup.ctx));
  keys = new ByokLeases(setup.ctx, opener);
});
afterAll(() => setup.close());

const aKey = () => createByokKey(setup.ctx, { provider: 'openai', label: 'mine', secret });
const accept = (byokKeyRefId: string, more: Partial<LensRunOrder> = {}) =>
  setup.accept('Hi', { fundingSource: 'user_byok_cloud', byokKeyRefId, ...more });
const execute = async (runId: string, parts: Pick<EngineParts, 'keys'> & Partial<Pick<EngineParts, 'log'>>) => {
  const seen: (string | undefined)[] = [];
  const provider: Provider = {
    key: 'openai',
    keyless: true,
    async *stream({ apiKey }) {
      seen.push(await Promise.resolve(apiKey));
      yield { delta: 'Hello' };
      yield { usage: { input: 1, output: 1 } };
    },
  };
  await setup.engine({ ...parts, provider }).execute({ runId, generation: 0 });
  return seen;
};

describe('a BYOK key for an endpoint of its owner', () => {
  const baseUrl = 'https://models.example.com/v1';
  const anEndpoint = () =>
    createByokKey(setup.ctx, {
      provider: 'openai-compatible',
      label: 'mine',
      secret,
      baseUrl,
      models: [
        { key: 'llama-4', maxOutputTokens: 500 },
        { key: 'phi-9', maxOutputTokens: 300 },
      ],
    });
  const runWith = async (runId: string) => {
    const seen: Partial<ProviderRequest>[] = [];
    const provider: Provider = {
      key: 'openai-compatible',
      keyless: true,
      async *stream({ model, apiKey, baseUrl, maxOutputTokens }) {
        seen.push(await Promise.resolve({ model, apiKey, baseUrl, maxOutputTokens }));
        yield { delta: 'Hello' };
      },
    };
    await setup.engine({ keys, provider }).execute({ runId, generation: 0 });
    return seen;
  };

  it('calls the endpoint with the requested model or the first one, and costs nothing', async () => {
    const { id } = await anEndpoint();
    const runId = await accept(id);
    expect(await runWith(runId)).toEqual([{ model: 'llama-4', apiKey: secret, baseUrl, maxOutputTokens: 500 }]);
    expect(await setup.run(runId)).toMatchObject({
      status: 'succeeded',
      providerKey: 'openai-compatible',
      modelKey: 'llama-4',
      billingStatus: 'none',
      creditCost: 0,
    });
    const named = await accept(id, { modelOverride: 'openai-compatible/phi-9' });
    expect(await runWith(named)).toMatchObject([{ model: 'phi-9', maxOutputTokens: 300 }]);
  });

  it('offers only the models of its endpoint, and only to itself', async () => {
    const [{ id }, other] = [await anEndpoint(), await anEndpoint()];
    const known = 'usable are openai-compatible/llama-4, openai-compatible/phi-9';
    await expect(accept(id, { modelOverride: 'gpt-6-sol' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: `modelOverride: there is no model gpt-6-sol; ${known}`,
    });
    const [foreign] = await usableModels(setup.ctx.db, { endpointKeyId: other.id });
    await expect(accept(id, { modelOverride: foreign?.id ?? '' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    const criteria = [{}, { fundingSource: 'user_byok_cloud' as const }, { fundingSource: 'user_byok_local' as const }];
    for (const each of criteria) {
      expect((await usableModels(setup.ctx.db, each)).map(({ key }) => key)).not.toContain('llama-4');
    }
    await expect(setup.accept('Hi', { modelOverride: foreign?.id ?? '' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  });
});

describe('ByokTests', () => {
  const tried = async (keyId: string, answer: () => AsyncIterable<ProviderPart>) => {
    const asked: Partial<ProviderRequest>[] = [];
    const warnings: object[] = [];
    const provider = (key: string): Provider => ({
      key,
      keyless: true,
      stream: ({ model, apiKey, baseUrl }) => (asked.push({ model, apiKey, baseUrl }), answer()),
    });
    const providers = providersByKey([provider('openai'), provider('openai-compatible')]);
    const log = { warn: (details: object) => void warnings.push(details) };
    const tests = new ByokTests({ ctx: setup.ctx, opener, providers, log });
    await startByokTest(setup.ctx, keyId);
    const [{ testId }] = await setup.ctx.db.query<[{ testId: string }]>(
      'select test_id as "testId" from byok_keys where id = $1',
      [keyId],
    );
    await tests.run({ keyId, testId });
    return { asked, warnings, test: (await readableByokKey(setup.ctx, keyId)).test };
  };
  const replies = async function* () {
    yield await Promise.resolve({ delta: 'ok' });
  };

  it('calls the provider of the key, or its endpoint', async () => {
    const baseUrl = 'https://models.example.com/v1';
    const own = { provider: 'openai-compatible', baseUrl, models: [{ key: 'llama-4', maxOutputTokens: 9 }] } as const;
    const { id: endpoint } = await createByokKey(setup.ctx, { ...own, label: 'mine', secret });
    const { asked, test } = await tried(endpoint, replies);
    expect(asked).toEqual([{ model: 'llama-4', apiKey: secret, baseUrl }]);
    expect(test).toMatchObject({ status: 'passed', message: 'openai-compatible answered with the model llama-4' });
    expect(await tried((await aKey()).id, replies)).toMatchObject({
      asked: [{ apiKey: secret }],
      test: { status: 'passed' },
    });
  });

  it('reports the fault of the provider, and that an altered key could not be tried', async () => {
    const refuses = async function* () {
      yield* [];
      await Promise.resolve();
      throw new ProviderFault('unauthorized', 'the key was not accepted (HTTP 401)');
    };
    const { id } = await aKey();
    expect((await tried(id, refuses)).test).toMatchObject({
      status: 'failed',
      message: 'openai says: the key was not accepted (HTTP 401)',
    });
    await setup.ctx.db.query(
      'update byok_keys set secret = set_byte(secret, 20, 255 - get_byte(secret, 20)) where id = $1',
      [id],
    );
    const { asked, warnings, test } = await tried(id, replies);
    expect([asked, warnings.length]).toEqual([[], 1]);
    expect(test).toMatchObject({ status: 'failed', message: 'The key could not be tried' });
  });
});

describe('a BYOK key', () => {
  it('reaches its provider and no event, and its run is free', async () => {
    const { id } = await aKey();
    const runId = await accept(id);
    expect(await execute(runId, { keys })).toEqual([secret]);
    expect(await setup.run(runId)).toMatchObject({ status: 'succeeded', billingStatus: 'none', creditCost: 0 });
    expect(JSON.stringify([await setup.run(runId), await setup.events(runId)])).not.toContain('sk-live');
    expect((await readableByokKey(setup.ctx, id)).lastUsedAt).not.toBeNull();
  });

  it('fails its run when it was revoked in the meantime', async () => {
    const { id } = await aKey();
    const runId = await accept(id);
    await revokeByokKey(setup.ctx, id);
    expect(await execute(runId, { keys })).toEqual([]);
    expect(await setup.run(runId)).toMatchObject({ status: 'failed', errorCode: 'KEY_REVOKED' });
  });

  it('cannot be opened when it was altered or belongs to another row; its run fails and the log has one warning', async () => {
    const [mine, other] = [await aKey(), await aKey()];
    const [runId, next] = [await accept(mine.id), await accept(other.id)];
    await setup.ctx.db.query(
      `update byok_keys k set data_key = o.data_key, secret = o.secret from byok_keys o
        where k.id = any ($1) and o.id = any ($1) and o.id <> k.id`,
      [[mine.id, other.id]],
    );
    const warnings: object[] = [];
    const log = {
      info: () => undefined,
      error: () => undefined,
      warn: (details: object) => void warnings.push(details),
    };
    expect([...(await execute(runId, { keys, log })), ...(await execute(next, { keys, log }))]).toEqual([]);
    for (const id of [runId, next]) {
      expect(await setup.run(id)).toMatchObject({ status: 'failed', errorCode: 'KEY_NOT_OPENED' });
      expect(await setup.story(id)).not.toContain('run.retrying');
    }
    expect(warnings).toMatchObject([{ errorCode: 'KEY_NOT_OPENED' }, { errorCode: 'KEY_NOT_OPENED' }]);
    expect(
      JSON.stringify(warnings.map((each) => ({ ...each, said: String((each as { err?: unknown }).err) }))),
    ).not.toContain('sk-live');
  });

  it('is left to another worker by a worker without a master key', async () => {
    const runId = await accept((await aKey()).id);
    expect(await execute(runId, { keys: new ByokLeases(setup.ctx, undefined) })).toEqual([]);
    expect(await setup.story(runId)).toContain('run.retrying');
  });
});
