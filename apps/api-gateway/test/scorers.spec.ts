import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { items } from './callers.js';
import { type Gateway, aGateway } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await aGateway();
});
afterAll(() => gateway.stop());

const call = (method: string, path: string, body?: object, token?: string) =>
  gateway.call(method, `/v1/scorers${path}`, { ...(body && { body }), ...(token !== undefined && { token }) });
const rule = { kind: 'check', assertions: [{ type: 'equals' }] };

describe('scorers', () => {
  it('are stored in versions, listed, tried and deleted', async () => {
    const made = await call('POST', '', { name: 'exact', rule });
    expect([made.status, made.body.data]).toEqual([201, expect.objectContaining({ name: 'exact', version: 1, rule })]);
    const path = `/${String(made.body.data?.['id'])}`;
    const next = { ...rule, threshold: 0.5 };
    expect((await call('PUT', path, { rule: next })).body.data).toMatchObject({ version: 2, rule: next });
    expect((await call('GET', `${path}?version=1`)).body.data).toMatchObject({ version: 1, rule });
    expect((await call('GET', `${path}?version=3`)).status).toBe(404);
    expect(items(await call('GET', '?limit=1'))).toMatchObject([{ name: 'exact', version: 2 }]);
    const tried = await call('POST', `${path}/test`, {
      samples: [
        { output: 'b', expected: 'b' },
        { output: 'c', expected: 'b' },
      ],
    });
    expect(tried.body.data).toMatchObject({
      version: 2,
      scores: [
        { scorer: 'exact', score: 1, pass: true },
        { score: 0, pass: false },
      ],
    });
    expect((await call('DELETE', path)).body.data).toEqual({ scorerId: path.slice(1), removed: true });
    expect((await call('GET', path)).status).toBe(404);
  });

  it('answer 409 to a name that is taken, and 400 with its place to a rule that is wrong', async () => {
    await call('POST', '', { name: 'taken', rule });
    expect((await call('POST', '', { name: 'taken', rule })).status).toBe(409);
    const wrong = await call('POST', '', { name: 'wrong', rule: { kind: 'model', method: 'rubric' } });
    expect([wrong.status, JSON.stringify(wrong.body.error)]).toEqual([400, expect.stringContaining('rule.rubric')]);
  });
});
