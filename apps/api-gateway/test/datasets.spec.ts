import { type Context, newId } from '@lensforge/core';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { acceptLensRun } from '@lensforge/runs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { items } from './callers.js';
import { type Gateway, aGateway } from './gateway.js';

let gateway: Gateway;
let ctx: Context;
let stranger: string;
let reader: string;

beforeAll(async () => {
  gateway = await aGateway();
  ctx = actingAs(gateway.ctx, gateway.accountId);
  stranger = (await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id })).value;
  reader = (await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['lenses:read'] })).value;
});
afterAll(() => gateway.stop());

const call = (method: string, path: string, body?: object, token?: string) =>
  gateway.call(method, `/v1/datasets${path}`, { ...(body && { body }), ...(token !== undefined && { token }) });
let count = 0;
const aDataset = async (): Promise<string> => {
  const { body } = await call('POST', '', { name: `Set ${(count += 1)}` });
  return `/${String(body.data?.['id'])}`;
};
const cases = [
  { key: 'b', params: { Topic: 'rain' }, expected: { ok: true }, metadata: { from: 'x' }, tags: ['wet'] },
  { key: 'a', params: { Topic: 'sea' } },
];

describe('datasets', () => {
  it('are created with 201, listed, changed and deleted; a name twice is 409', async () => {
    const made = await call('POST', '', { name: 'Weather', description: 'Of all kinds' });
    expect([made.status, made.body.data]).toEqual([
      201,
      expect.objectContaining({ name: 'Weather', description: 'Of all kinds', revision: 0, cases: 0 }),
    ]);
    const path = `/${String(made.body.data?.['id'])}`;
    expect((await call('POST', '', { name: 'Weather' })).status).toBe(409);
    expect(items(await call('GET', '?q=weath')).map(({ name }) => name)).toEqual(['Weather']);
    expect((await call('PATCH', path, { name: 'Sky' })).body.data).toMatchObject({ name: 'Sky' });
    await call('POST', '', { name: 'Weather' });
    expect((await call('PATCH', path, { name: 'Weather' })).status).toBe(409);
    expect((await call('DELETE', path)).body.data).toMatchObject({ removed: true });
    expect((await call('GET', path)).status).toBe(404);
  });

  it('are 404 to others, and 403 to change without the scope', async () => {
    const path = await aDataset();
    for (const [method, part, body] of [
      ['GET', '', undefined],
      ['GET', '/cases', undefined],
      ['GET', '/revisions', undefined],
      ['GET', '/diff?from=0', undefined],
      ['GET', '/export?format=json', undefined],
      ['PATCH', '', { name: 'x' }],
      ['POST', '/cases', { save: cases }],
      ['POST', '/import', { format: 'json', content: '[]' }],
      ['POST', '/cases-from-runs', { runIds: [newId()] }],
      ['DELETE', '', undefined],
    ] as const) {
      expect((await call(method, path + part, body, stranger)).status).toBe(404);
      const { status } = await call(method, path + part, body, reader);
      expect(status).toBe(method === 'GET' ? 200 : 403);
    }
  });
});

describe('cases of a dataset', () => {
  it('are changed as revisions; an older base is 409', async () => {
    const path = await aDataset();
    expect((await call('POST', `${path}/cases`, { save: cases, message: 'Two' })).body.data).toEqual({
      revision: 1,
      added: 2,
      changed: 0,
      removed: 0,
      cases: 2,
    });
    const listed = items(await call('GET', `${path}/cases`));
    expect(listed).toEqual([
      { key: 'a', params: { Topic: 'sea' }, expected: null, metadata: null, tags: [], assertions: [], since: 1 },
      { ...cases[0], assertions: [], since: 1 },
    ]);
    expect(items(await call('GET', `${path}/cases?tag=wet`))).toHaveLength(1);
    expect((await call('POST', `${path}/cases`, { remove: ['a'], baseRevision: 0 })).status).toBe(409);
    const file = { format: 'json', content: '[]', replace: true, baseRevision: 0 };
    expect((await call('POST', `${path}/import`, file)).status).toBe(409);
    expect((await call('POST', `${path}/cases`, { remove: ['a'], baseRevision: 1 })).body.data).toMatchObject({
      revision: 2,
    });
    expect(items(await call('GET', `${path}/cases?revision=1`))).toHaveLength(2);
    expect((await call('GET', `${path}/cases?revision=9`)).status).toBe(404);
    expect(items(await call('GET', `${path}/diff?from=1`))).toMatchObject([
      { key: 'a', change: 'removed', after: null },
    ]);
    expect(items(await call('GET', `${path}/revisions`))).toMatchObject([
      { revision: 2 },
      { revision: 1, message: 'Two' },
    ]);
  });

  it('are refused with 400 for faults in them, with their place', async () => {
    const path = await aDataset();
    for (const [body, issue] of [
      [{ save: [{ key: '', params: {} }] }, 'save.0.key'],
      [{ save: [{ key: 'a' }] }, 'save.0.params'],
      [{ save: [{ key: 'a', params: {}, tags: ['a b'] }] }, 'save.0.tags.0'],
      [{ save: [cases[1], cases[1]] }, 'save.1.key'],
      [{ remove: [''] }, 'remove.0'],
    ] as const) {
      const { status, body: answer } = await call('POST', `${path}/cases`, body);
      expect([status, JSON.stringify(answer.error)]).toEqual([400, expect.stringContaining(issue)]);
    }
  });

  it.each([
    ['ndjson', 'application/x-ndjson'],
    ['csv', 'text/csv'],
    ['json', 'application/json'],
  ])('are the same after an export and import as %s', async (format, mediaType) => {
    const [from, to] = [await aDataset(), await aDataset()];
    await call('POST', `${from}/cases`, { save: cases });
    const file = await fetch(`${gateway.url}/v1/datasets${from}/export?format=${format}`, {
      headers: { authorization: `Bearer ${gateway.token}` },
    });
    expect(file.headers.get('content-type')).toBe(`${mediaType}; charset=utf-8`);
    const content = await file.text();
    const imported = await call('POST', `${to}/import`, { format, content });
    expect(imported.body.data).toMatchObject({ revision: 1, added: 2 });
    const of = async (path: string) => items(await call('GET', `${path}/cases`));
    expect(await of(to)).toEqual(await of(from));
    expect((await call('POST', `${to}/import`, { format, content, replace: true })).body.data).toMatchObject({
      revision: 1,
    });
  });

  it('are exported as requests to the API of OpenAI, with the prompts of a lens that the caller may read', async () => {
    const { id: lensId } = await aLens(ctx);
    const path = await aDataset();
    await call('POST', `${path}/cases`, { save: [{ key: 'ada', params: { Name: 'Ada' } }] });
    const read = async (query: string) =>
      (
        await fetch(`${gateway.url}/v1/datasets${path}/export?format=openai-batch${query}`, {
          headers: { authorization: `Bearer ${gateway.token}` },
        })
      ).text();
    expect(JSON.parse(await read(`&lensId=${lensId}`))).toEqual({
      custom_id: 'ada',
      method: 'POST',
      url: '/v1/chat/completions',
      body: { messages: [{ role: 'user', content: expect.stringContaining('Ada') }] },
    });
    expect(await read('')).toContain('lensId is required with the format openai-batch');
    expect(await read(`&lensId=${lensId}&version=none`)).toContain('not_found');
    const { id: foreign } = await aLens(actingAs(gateway.ctx, (await anAccount(gateway.ctx)).id), {
      visibility: 'private',
    });
    expect(await read(`&lensId=${foreign}`)).toContain('not_found');
    expect(await read(`&lensId=${newId()}`)).toContain('not_found');
    await call('POST', `${path}/cases`, { save: [{ key: 'without', params: {} }] });
    expect(await read(`&lensId=${lensId}`)).toContain('the case without has no value for Name');
  });

  it('are made of runs with their outputs, and of the saved cases of a lens', async () => {
    const { id: lensId } = await aLens(ctx);
    const { runId } = await acceptLensRun(ctx, { lensId, params: { Name: 'Ada' }, timeoutMs: 60_000 });
    const path = await aDataset();
    expect(
      (await call('POST', `${path}/cases-from-runs`, { runIds: [runId, runId], tags: ['run'] })).body.data,
    ).toMatchObject({
      added: 1,
    });
    expect(items(await call('GET', `${path}/cases`))).toMatchObject([
      { key: runId, params: { Name: 'Ada' }, expected: null, tags: ['run'] },
    ]);
    await gateway.call('PUT', `/v1/lenses/${lensId}/cases`, {
      body: { name: 'Bob', params: { Name: 'Bob' }, reference: 'Hi' },
    });
    const made = await call('POST', '', { name: 'Of a lens', casesOfLens: lensId });
    expect(made.body.data).toMatchObject({ cases: 1, revision: 1 });
    expect((await call('POST', '', { name: 'Of nothing', casesOfLens: newId() })).status).toBe(404);
    expect((await call('POST', `${path}/cases-from-runs`, { runIds: [newId()] })).status).toBe(404);
  });
});
