import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ModelEntry, ModelFile, modelCapabilities, parse } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { announceProviders } from './announce-providers.js';
import { readModelRequest } from './model-request.js';
import { chargesForInput, estimateCost, getMaxOutputTokens, roughTokens } from './estimate-cost.js';
import { importModels, listCatalogue } from './import-models.js';
import { listModels } from './list-models.js';
import { type ModelCriteria, chooseModel, modelById, toModelName } from './models.js';

let database: TestDatabase;
let ctx: Context;
const db = () => ctx.db;
const choose = async (criteria: ModelCriteria = {}) => toModelName(await chooseModel(db(), criteria));
const refusalOf = async (criteria: ModelCriteria): Promise<string> =>
  chooseModel(db(), criteria).then(
    () => 'none',
    (reason: unknown) => (reason as Error).message,
  );
const imported = (...models: ModelEntry[]) => importModels(ctx, parse(ModelFile, { models }).models);
/* The catalogue is cached for some seconds; an unknown name bypasses the cache. */
const reloadCatalogue = () => refusalOf({ modelOverride: 'no-such-model' });
const entry = { provider: 'openai-compatible', creditsPer1kInput: 1, creditsPer1kOutput: 2 };

beforeAll(async () => {
  database = await openTestDatabase();
  ({ ctx } = database);
});
afterAll(() => database.close());

describe('chooseModel without a requested model', () => {
  it('chooses the offline model while no worker has announced a provider', async () => {
    expect(await choose()).toBe('offline/echo');
    expect((await listModels(ctx, { limit: 100 })).items.map(nameOfItem)).toEqual(['offline/echo', 'offline/words']);
  });

  it('chooses a model of an announced provider, and offline again after the announcement has expired', async () => {
    await announceProviders(db(), ['anthropic', 'google']);
    await reloadCatalogue();
    expect(await choose()).toBe('anthropic/claude-haiku-5-5');
    await db().query(`update providers set seen_at = now() - interval '3 minutes'`);
    await reloadCatalogue();
    expect(await choose()).toBe('offline/echo');
    await announceProviders(db(), ['anthropic', 'google', 'openai-compatible']);
    await reloadCatalogue();
  });

  it('chooses a model with the needed capabilities', async () => {
    expect(await choose({ needs: ['sampling'] })).toBe('google/gemini-2.5-flash');
    expect(await choose({ providerOverride: 'anthropic', needs: ['sampling'] })).toBe('anthropic/claude-haiku-4-5');
  });
});

const nameOfItem = ({ provider, key }: { provider: string; key: string }) => `${provider}/${key}`;

describe('chooseModel with a requested model', () => {
  it('finds it by id, key, or provider and key', async () => {
    const { id } = await chooseModel(db(), { modelOverride: 'claude-opus-5-5' });
    expect(await choose({ modelOverride: id })).toBe('anthropic/claude-opus-5-5');
    expect(await choose({ modelOverride: 'anthropic/claude-opus-5-5' })).toBe('anthropic/claude-opus-5-5');
  });

  it.each<[string, ModelCriteria, RegExp]>([
    [
      'an unknown provider',
      { providerOverride: 'acme' },
      /^providerOverride: there is no provider acme; usable are .*offline/,
    ],
    [
      'a provider without a key',
      { providerOverride: 'openai' },
      /^providerOverride: openai cannot be used.*usable are anthropic/,
    ],
    [
      'an unknown model',
      { modelOverride: 'gpt-99' },
      /^modelOverride: there is no model gpt-99; usable are .*offline\/echo/,
    ],
    ['a misspelled model', { modelOverride: 'ehco' }, /there is no model ehco; usable are .*; did you mean echo\?$/],
    ['a model without a key', { modelOverride: 'gpt-6-sol' }, /^modelOverride: openai\/gpt-6-sol cannot be used/],
    [
      'a model of another provider',
      { modelOverride: 'echo', providerOverride: 'google' },
      /^modelOverride: there is no model echo; usable are google\/gemini/,
    ],
    [
      'a model that cannot do it',
      { modelOverride: 'claude-sonnet-5-5', needs: ['json', 'sampling'] },
      /claude-sonnet-5-5 lacks the capability sampling.*models that have it: .*google\/gemini-2.5-flash/,
    ],
    [
      'a BYOK key for offline',
      { modelOverride: 'echo', fundingSource: 'user_byok_cloud' },
      /offline\/echo cannot be used with a key of your own/,
    ],
  ])('refuses %s and lists the usable models', async (_, criteria, message) => {
    expect(await refusalOf(criteria)).toMatch(message);
  });

  it('accepts a model of any provider for a BYOK key', async () => {
    expect(await choose({ modelOverride: 'gpt-6-sol', fundingSource: 'user_byok_cloud' })).toBe('openai/gpt-6-sol');
    const { items } = await listModels(ctx, { fundingSource: 'user_byok_cloud', limit: 100 });
    expect(new Set(items.map(({ provider }) => provider))).toEqual(new Set(['openai', 'anthropic', 'google']));
  });
});

describe('the model catalogue', () => {
  it('adds and changes models in one transaction', async () => {
    expect(await imported({ ...entry, key: 'llama-4', capabilities: ['stream', 'json'] })).toEqual({
      added: 1,
      changed: 0,
    });
    expect(await imported({ provider: 'openai-compatible', key: 'llama-4', contextTokens: 8192 })).toEqual({
      added: 0,
      changed: 1,
    });
    const row = (await listCatalogue(ctx)).find(({ key }) => key === 'llama-4');
    expect(row).toMatchObject({
      contextTokens: 8192,
      creditsPer1kOutput: 2,
      capabilities: ['stream', 'json'],
      usable: true,
    });
    await imported({ ...entry, key: 'llama-4', creditsPer1kInput: 0.25, creditsPer1kCachedInput: 0.025 });
    const rates = { creditsPer1kInput: 0.25, creditsPer1kCachedInput: 0.025, creditsPer1kCacheWrite: null };
    expect((await listCatalogue(ctx)).find(({ key }) => key === 'llama-4')).toMatchObject(rates);
    await imported({ provider: 'openai-compatible', key: 'llama-4', creditsPer1kCachedInput: null });
    expect((await listCatalogue(ctx)).find(({ key }) => key === 'llama-4')).toMatchObject({
      ...rates,
      creditsPer1kCachedInput: null,
    });
    await expect(imported({ ...entry, key: 'fine' }, { provider: 'acme', key: 'unpriced' })).rejects.toThrow(
      'acme/unpriced: is new',
    );
    await expect(imported({ ...entry, key: 'a', fallbacks: ['acme/b'] })).rejects.toThrow(
      'acme/b cannot be its fallback',
    );
    await expect(imported({ ...entry, key: 'a' }, { ...entry, key: 'a' })).rejects.toThrow('twice');
    expect((await listCatalogue(ctx)).map(({ key }) => key)).not.toContain('fine');
    expect(() => parse(ModelFile, { models: [{ ...entry, key: 'a', capabilities: ['magic'] }] })).toThrow(
      'capabilities',
    );
  });

  it('does not offer a disabled model and still finds it by id', async () => {
    const { id } = await chooseModel(db(), { modelOverride: 'gemini-2.5-pro' });
    await imported({ provider: 'google', key: 'gemini-2.5-pro', enabled: false });
    await reloadCatalogue();
    expect(await refusalOf({ modelOverride: 'gemini-2.5-pro' })).toContain('there is no model');
    expect(await modelById(db(), id)).toMatchObject({ key: 'gemini-2.5-pro' });
  });

  it('lists fallbacks that have the needed capabilities', async () => {
    await imported(
      {
        ...entry,
        key: 'first',
        capabilities: ['json'],
        fallbacks: ['openai-compatible/dear', 'google/gemini-2.5-flash', 'openai/gpt-6-sol'],
      },
      { ...entry, key: 'dear', creditsPer1kOutput: 100, maxOutputTokens: 1000 },
    );
    await reloadCatalogue();
    const names = async (criteria: ModelCriteria) =>
      (await chooseModel(db(), { modelOverride: 'first', ...criteria })).alternatives.map(toModelName);
    expect(await names({})).toEqual(['openai-compatible/dear', 'google/gemini-2.5-flash']);
    expect(await names({ needs: ['json'] })).toEqual(['google/gemini-2.5-flash']);
    const allowed = ['openai-compatible/dear', 'openai-compatible/first'];
    expect(await names({ allowed })).toEqual(['openai-compatible/dear']);
    expect(toModelName(await chooseModel(db(), { allowed }))).toBe('openai-compatible/dear');
    const first = await chooseModel(db(), { modelOverride: 'first' });
    expect(estimateCost(first, 0, {})).toBe(100);
    const [free, paid] = [0, 1].map((creditsPer1kInput) => ({ ...first, creditsPer1kInput, alternatives: [] }));
    expect(free && chargesForInput(free)).toBe(false);
    expect(free && paid && chargesForInput({ ...free, alternatives: [free, paid] })).toBe(true);
    expect(paid && chargesForInput(paid)).toBe(true);
    for (const text of ['', 'word', 'ñandú', '公园', '😀😀']) {
      expect(roughTokens(text)).toBe(Math.ceil(Buffer.byteLength(text) / 4));
    }
    expect(getMaxOutputTokens(first, { maxOutputTokens: 50 })).toBe(50);
    expect(getMaxOutputTokens({ maxOutputTokens: 128_000 })).toBe(16_384);
  });

  it('is paginated by listModels', async () => {
    const all = await listModels(ctx, { limit: 100 });
    const seen: string[] = [];
    for (let cursor: string | undefined, go = true; go;) {
      const { items, nextCursor } = await listModels(ctx, { limit: 2, ...(cursor !== undefined && { cursor }) });
      seen.push(...items.map(({ id }) => id));
      cursor = nextCursor;
      go = cursor !== undefined;
    }
    expect(seen).toEqual(all.items.map(({ id }) => id));
    expect(all.items.filter(({ isDefault }) => isDefault)).toHaveLength(1);
    const { items } = await listModels(ctx, { provider: 'google', capability: 'sampling', limit: 100 });
    expect(
      items.every(({ provider, capabilities }) => provider === 'google' && capabilities.includes('sampling')),
    ).toBe(true);
    expect(modelCapabilities).toContain('sampling');
  });
});

describe('a model that makes embeddings', () => {
  it('is chosen for them alone', async () => {
    expect(await choose({ needs: ['embeddings'] })).toBe('google/gemini-embedding-001');
    expect(await choose({ needs: ['embeddings'], modelOverride: 'words' })).toBe('offline/words');
    await expect(choose({ modelOverride: 'offline/words' })).rejects.toThrow(
      /makes embeddings alone; models that answer: /,
    );
    await expect(choose({ needs: ['embeddings'], modelOverride: 'echo' })).rejects.toThrow(
      /lacks the capability embeddings/,
    );
  });
});

describe('readModelRequest', () => {
  const data = 'aGFsbG8=';

  it('derives the needed capabilities from images, schema and temperature', () => {
    const { needs, params, images } = readModelRequest({
      params: {
        Photo: { image: { mediaType: 'image/png', data } },
        Link: { image: { mediaType: 'image/jpeg', url: 'https://a.test/x.jpg' } },
        Plain: { image: 'no picture', more: 1 },
        Text: 'hello',
      },
      outputSchema: { type: 'object' },
      sampling: { temperature: 0 },
    });
    expect(needs).toEqual(['images', 'image_urls', 'json', 'sampling']);
    expect(params).toEqual({
      Photo: '[image 1]',
      Link: '[image 2]',
      Plain: { image: 'no picture', more: 1 },
      Text: 'hello',
    });
    expect(images).toEqual([
      { mediaType: 'image/png', data },
      { mediaType: 'image/jpeg', url: 'https://a.test/x.jpg' },
    ]);
    expect(readModelRequest({ params: {}, sampling: { maxOutputTokens: 5 } }).needs).toEqual([]);
  });

  it.each([
    [{ mediaType: 'image/svg+xml', data }, 'mediaType'],
    [{ mediaType: 'image/png' }, 'must have either data or url'],
    [{ mediaType: 'image/png', data, url: 'https://a.test/' }, 'must have either data or url'],
    [{ mediaType: 'image/png', data: 'not base64!' }, 'data must be base64'],
    [{ mediaType: 'image/png', url: 'http://169.254.169.254/' }, 'url must be an https URL'],
    [{ mediaType: 'image/png', url: 'https://user:pw@a.test/' }, 'url must be an https URL'],
    [{ mediaType: 'image/png', data, detail: 'high' }, 'detail is not known'],
  ])('refuses the image %j', (image, message) => {
    expect(() => readModelRequest({ params: { Photo: { image } } })).toThrow(message);
  });

  it('refuses too many images and an invalid schema', () => {
    const many = Object.fromEntries(
      Array.from({ length: 11 }, (_, at) => [`p${at}`, { image: { mediaType: 'image/png', data } }]),
    );
    expect(() => readModelRequest({ params: many })).toThrow('at most 10');
    expect(() => readModelRequest({ params: {}, outputSchema: { type: 'nothing' } })).toThrow('outputSchema.type');
  });
});
