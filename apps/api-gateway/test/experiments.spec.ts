import { type Context, platformActor } from '@lensforge/core';
import { advanceExperiment } from '@lensforge/evaluation';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { items } from './callers.js';
import { type Gateway, aGateway } from './gateway.js';

let gateway: Gateway;
let ctx: Context;
let stranger: string;
let reader: string;
let order: object;

beforeAll(async () => {
  gateway = await aGateway();
  ctx = actingAs(gateway.ctx, gateway.accountId);
  stranger = (await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id })).value;
  reader = (await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['lenses:read'] })).value;
  const { id: lensId } = await aLens(ctx, { templateBody: 'Say [[Word]]' });
  const { body } = await gateway.call('POST', '/v1/datasets', { body: { name: 'Words' } });
  const datasetId = String(body.data?.['id']);
  const save = [{ key: 'a', params: { Word: 'sea' }, expected: 'calm', tags: ['t'] }];
  await gateway.call('POST', `/v1/datasets/${datasetId}/cases`, { body: { save } });
  order = {
    target: { lensId },
    arms: [{ name: 'newest' }],
    dataset: { id: datasetId },
    scorers: [{ name: 'exact', kind: 'check', assertions: [{ type: 'equals' }] }],
  };
});
afterAll(() => gateway.stop());

const call = (method: string, path: string, body?: object, token?: string) =>
  gateway.call(method, `/v1/experiments${path}`, { ...(body && { body }), ...(token !== undefined && { token }) });
const anExperiment = async (): Promise<string> => `/${String((await call('POST', '', order)).body.data?.['id'])}`;
const advance = (path: string) =>
  advanceExperiment({ ...gateway.ctx, actor: platformActor }, path.slice(1), { timeoutMs: 60_000 });

describe('experiments', () => {
  it('are accepted with 202, listed and read with their cells', async () => {
    const made = await call('POST', '', order);
    expect([made.status, Object.keys(made.body.data ?? {})]).toEqual([202, ['id']]);
    const path = `/${String(made.body.data?.['id'])}`;
    await advance(path);
    expect((await call('GET', path)).body.data).toMatchObject({
      status: 'running',
      cells: 1,
      cellsDone: 0,
      results: null,
    });
    expect(items(await call('GET', '?limit=1'))).toMatchObject([{ status: 'running', gateResult: null }]);
    expect(items(await call('GET', `${path}/cells`))).toMatchObject([
      { key: 'a', arm: 'newest', state: 'running', runId: expect.any(String), expected: 'calm', scores: [] },
    ]);
    const file = await fetch(`${gateway.url}/v1/experiments${path}/export?format=junit`, {
      headers: { authorization: `Bearer ${gateway.token}` },
    });
    expect(file.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(await file.text()).toContain('<skipped/>');
  });

  it('are refused with 400 and the place of the fault', async () => {
    const wrong = await call('POST', '', {
      ...order,
      scorers: [{ name: 'x', kind: 'check', assertions: [{ type: 'eq' }] }],
    });
    expect(wrong.status).toBe(400);
    expect(JSON.stringify(wrong.body.error)).toContain('scorers.0.assertions.0.type');
    expect((await call('POST', '', { ...order, arms: [] })).status).toBe(400);
    const path = await anExperiment();
    expect((await call('GET', `${path}/cells?only=worse`)).status).toBe(400);
  });

  it('are canceled, and answer 409 to what their status does not allow', async () => {
    const path = await anExperiment();
    expect((await call('POST', `${path}/resume`, {})).body.data).toMatchObject({ status: 'running' });
    expect((await call('DELETE', path)).status).toBe(409);
    expect((await call('POST', `${path}/cancel`)).body.data).toMatchObject({ status: 'canceling' });
    await advance(path);
    expect((await call('POST', `${path}/cancel`)).body.data).toMatchObject({ status: 'canceled' });
    expect((await call('POST', `${path}/resume`, {})).status).toBe(409);
    const { status, body } = await call('DELETE', path);
    expect([status, body.data]).toEqual([200, { experimentId: path.slice(1), removed: true }]);
    expect((await call('GET', path)).status).toBe(404);
  });

  it('that have ended cannot be canceled: 409', async () => {
    const path = await anExperiment();
    await gateway.ctx.db.query(`update experiments set status = 'completed', completed_at = now() where id = $1`, [
      path.slice(1),
    ]);
    expect((await call('POST', `${path}/cancel`)).status).toBe(409);
  });

  it('score their answers again when they have ended, and before that answer 409', async () => {
    const path = await anExperiment();
    expect((await call('POST', `${path}/clone`, { answers: 'same' })).status).toBe(409);
    await gateway.ctx.db.query(`update experiments set status = 'completed', completed_at = now() where id = $1`, [
      path.slice(1),
    ]);
    const again = await call('POST', `${path}/clone`, { answers: 'same', name: 'Again' });
    expect(again.status).toBe(202);
    expect((await call('GET', `/${String(again.body.data?.['id'])}`)).body.data).toMatchObject({
      name: 'Again',
      answersOf: path.slice(1),
    });
    expect((await call('POST', `${path}/clone`, { answers: 'same', repetitions: 2 })).status).toBe(400);
  });

  it('have a stream of their events, which resumes and ends with them', async () => {
    const path = await anExperiment();
    await call('POST', `${path}/cancel`);
    await advance(path);
    const follow = async (after: number): Promise<[number, string[]]> => {
      const answer = await fetch(`${gateway.url}/v1/experiments${path}/events`, {
        headers: { authorization: `Bearer ${gateway.token}`, 'last-event-id': String(after) },
      });
      return [answer.status, (await answer.text()).match(/(?<=^data: ).*/gm) ?? []];
    };
    const [, frames] = await follow(0);
    expect(frames.map((frame) => JSON.parse(frame) as object)).toMatchObject([
      { sequence: 1, eventType: 'status.changed', payload: { status: 'running' } },
      { sequence: 2, payload: { status: 'canceling' } },
      { sequence: 3, payload: { status: 'canceled', reason: null, gate: null } },
      { eventType: 'done', payload: { status: 'canceled' } },
    ]);
    expect((await follow(2))[1].map((frame) => JSON.parse(frame) as object)).toMatchObject([
      { sequence: 3 },
      { eventType: 'done' },
    ]);
    expect(await follow(3)).toEqual([204, []]);
  });

  it('are 404 to others, and 403 to change without the scope', async () => {
    const path = await anExperiment();
    for (const [method, part, body] of [
      ['GET', '', undefined],
      ['GET', '/cells', undefined],
      ['GET', '/export?format=ndjson', undefined],
      ['POST', '/cancel', undefined],
      ['POST', '/resume', {}],
      ['POST', '/clone', {}],
      ['DELETE', '', undefined],
    ] as const) {
      expect((await call(method, path + part, body, stranger)).status).toBe(404);
      const { status } = await call(method, path + part, body, reader);
      expect(status).toBe(method === 'GET' ? 200 : 403);
    }
    expect((await call('POST', '', order, stranger)).status).toBe(404);
    expect((await call('POST', '', order, reader)).status).toBe(403);
    expect(items(await call('GET', '', undefined, stranger))).toEqual([]);
  });
});
