import { LangfuseClient } from '@langfuse/client';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { createLens, setLensLabel, updateLens } from '@lensforge/lenses';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Gateway, aGateway } from './gateway.js';

let gateway: Gateway;
let client: LangfuseClient;
let name: string;

const openClient = (secretKey: string): LangfuseClient =>
  new LangfuseClient({ publicKey: 'pk-lf-unused', secretKey, baseUrl: gateway.url });

beforeAll(async () => {
  gateway = await aGateway();
  client = openClient(gateway.token);
  const ctx = actingAs(gateway.ctx, gateway.accountId);
  const { lens } = await createLens(ctx, {
    title: 'Movie critic',
    templateBody: 'As a [[Level]] critic, say in a few words whether you like [[Film]].',
    tags: ['films'],
    settings: { models: ['offline/echo'], sampling: { maxOutputTokens: 100 } },
  });
  await setLensLabel(ctx, { lensId: lens.id, label: 'production', version: '1.0.0' });
  await updateLens(ctx, {
    lensId: lens.id,
    templateBody: 'As a [[Level]] critic, say in two sentences whether you like [[Film]].',
  });
  await createLens(ctx, {
    title: 'Chat about films',
    messages: [
      { role: 'system', text: 'You are a [[Level]] critic who answers in a few words.' },
      { role: 'user', text: '[[history]]' },
      { role: 'user', text: 'Do you like [[Film]]?' },
    ],
  });
  const [{ handle }] = await gateway.ctx.db.query<[{ handle: string }]>('select handle from accounts where id = $1', [
    gateway.accountId,
  ]);
  name = `${handle}/movie-critic`;
});
afterAll(() => gateway.stop());

describe('the client of Langfuse', () => {
  it('reads a prompt by label and version, and fills it in', async () => {
    const production = await client.prompt.get(name, { label: 'production', cacheTtlSeconds: 0 });
    expect(production).toMatchObject({ name, version: 1, type: 'text', labels: ['production'], tags: ['films'] });
    expect(production.config).toEqual({
      model: 'echo',
      max_completion_tokens: 100,
      settings: { models: ['offline/echo'], sampling: { maxOutputTokens: 100 } },
    });
    expect(production.compile({ Level: 'kind', Film: 'Alien' })).toBe(
      'As a kind critic, say in a few words whether you like Alien.',
    );
    const newest = await client.prompt.get(name, { cacheTtlSeconds: 0 });
    expect(newest).toMatchObject({ version: 2, labels: ['latest'], prompt: expect.stringContaining('two sentences') });
    expect(await client.prompt.get(name, { version: 1, cacheTtlSeconds: 0 })).toMatchObject({
      prompt: production.prompt,
    });
    expect(await client.prompt.get('movie-critic', { label: 'latest', cacheTtlSeconds: 0 })).toMatchObject({
      version: 2,
    });
  });

  it('reads a chat with the place of earlier messages', async () => {
    const chat = await client.prompt.get('chat-about-films', { type: 'chat', cacheTtlSeconds: 0 });
    expect(chat.compile({ Level: 'kind', Film: 'Alien' }, { history: [{ role: 'user', content: 'Hello' }] })).toEqual([
      { role: 'system', content: 'You are a kind critic who answers in a few words.' },
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Do you like Alien?' },
    ]);
  });

  it('lists prompts', async () => {
    const { data, meta } = await client.api.prompts.list({ tag: 'films' });
    expect(data).toMatchObject([
      { name, type: 'text', versions: [1, 2], labels: ['production', 'latest'], tags: ['films'] },
    ]);
    expect(meta).toEqual({ page: 1, limit: 50, totalItems: 1, totalPages: 1 });
    expect((await client.api.prompts.list({ limit: 1, page: 2 })).data).toHaveLength(1);
  });

  it.each([
    ['an unknown name', () => client.prompt.get('nothing', { cacheTtlSeconds: 0 }), /no lens/],
    ['an unknown label', () => client.prompt.get(name, { label: 'blue', cacheTtlSeconds: 0 }), /blue/],
    ['an unknown version', () => client.prompt.get(name, { version: 9, cacheTtlSeconds: 0 }), /version 9/],
    [
      'a credential that is not valid',
      () => openClient('lf_dev_0123456789abcdef').prompt.get(name, { cacheTtlSeconds: 0 }),
      /401|token/,
    ],
  ])('is told %s', async (_, read, message) => {
    // The client writes each refusal.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await expect(read()).rejects.toThrow(message);
  });

  it('finds no prompt that its credential may not read', async () => {
    const stranger = await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id });
    await gateway.ctx.db.query(`update lenses set visibility = 'private'`);
    await expect(openClient(stranger.value).prompt.get(name, { cacheTtlSeconds: 0 })).rejects.toThrow(/no lens/);
    expect((await openClient(stranger.value).api.prompts.list({})).data).toEqual([]);
    const limited = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['threads:read'] });
    await expect(openClient(limited.value).prompt.get(name, { cacheTtlSeconds: 0 })).rejects.toThrow(/lenses:read/);
  });
});
