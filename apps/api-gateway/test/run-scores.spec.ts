import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aToken } from '@lensforge/identity/testing';
import { type TestCaller, aCaller, callerOf, items, outcome } from './callers.js';
import type { Answer } from './gateway.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let owner: TestCaller;
let stranger: TestCaller;
let lensId: string;
beforeAll(async () => {
  const limits = ['EXECUTE', 'WRITE', 'INCOMING'].map((name) => [`LENSFORGE_RATE_${name}_PER_MINUTE`, '1000000']);
  gateway = await aGatewayWithSignIn(Object.fromEntries(limits) as Record<string, string>);
  [owner, stranger] = [await aCaller(gateway), await aCaller(gateway)];
  const templateBody = 'Answer [[Name]] politely, in a few words, so that a person can say if it helped.';
  lensId = String((await owner.post('/v1/lenses', { title: 'Helper', templateBody })).body.data?.['id']);
});
afterAll(() => gateway.stop());

const aRun = async (caller = owner): Promise<string> => {
  const { body } = await caller.post(`/v1/lenses/${lensId}/execute`, { params: { Name: 'Ada' } });
  return `/v1/runs/${String(body.data?.['runId'])}`;
};
const aKey = async (run: string, caller = owner): Promise<string> =>
  String((await caller.post(`${run}/feedback-key`)).body.data?.['key']);
/** As a page in a browser does it: from another origin, without a credential. */
const feedback = (run: string, body: unknown): Promise<Answer> =>
  gateway.call('POST', `${run}/feedback`, { token: '', body });
const scoresOf = async (run: string): Promise<unknown[]> =>
  items(await owner.get(`${run}/scores`)).map(({ name, source, score, reason }) => ({ name, source, score, reason }));

describe('feedback of an end user', () => {
  it('becomes a score of the run, once for each key', async () => {
    const run = await aRun();
    const made = await owner.post(`${run}/feedback-key`);
    const { key, expiresAt } = made.body.data as { key: string; expiresAt: string };
    expect([made.status, made.body.data]).toEqual([
      201,
      { runId: run.slice(9), key: expect.stringMatching(/^lf_fb_[0-9a-f]{64}$/), expiresAt },
    ]);
    const left = Date.parse(expiresAt) - gateway.ctx.now().getTime();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    const given = await feedback(run, { key, thumb: 'down', comment: 'It did not help.' });
    expect([given.status, given.body.data]).toEqual([201, { received: true }]);
    expect(outcome(await feedback(run, { key, thumb: 'up' }))).toEqual([409, 'conflict']);
    expect(await scoresOf(run)).toEqual([
      { name: 'feedback', source: 'end_user', score: 0, reason: 'It did not help.' },
    ]);
    await feedback(run, { key: await aKey(run), score: 0.75 });
    expect((await scoresOf(run)).length).toBe(2);
  });

  it('counts once when it is sent many times at the same moment', async () => {
    const run = await aRun();
    const key = await aKey(run);
    const all = await Promise.all(Array.from({ length: 8 }, () => feedback(run, { key, thumb: 'up' })));
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect((await scoresOf(run)).length).toBe(1);
  });

  it('is refused with a key of another run, an expired or unknown one, or one whose maker lost the right', async () => {
    const [run, other] = [await aRun(), await aRun()];
    const key = await aKey(run);
    const refused = [401, 'unauthorized'];
    expect(outcome(await feedback(other, { key, thumb: 'up' }))).toEqual(refused);
    expect(outcome(await feedback(run, { key: `lf_fb_${'0'.repeat(64)}`, thumb: 'up' }))).toEqual(refused);
    expect(outcome(await feedback(run, { key: owner.token.slice(0, 200), thumb: 'up' }))).toEqual(refused);
    await gateway.ctx.db.query(`update feedback_keys set expires_at = now() where run_id = $1`, [run.slice(9)]);
    expect(outcome(await feedback(run, { key, thumb: 'up' }))).toEqual(refused);
    const token = await aToken(gateway.ctx, { accountId: owner.accountId, held: ['lenses:read', 'lenses:write'] });
    const ofToken = await aKey(other, callerOf(gateway, { accountId: owner.accountId, token: token.value }));
    await owner.remove(`/v1/tokens/${token.id}`);
    expect(outcome(await feedback(other, { key: ofToken, thumb: 'up' }))).toEqual(refused);
    expect([await scoresOf(run), await scoresOf(other)]).toEqual([[], []]);
  });

  it('needs a score or a thumb within the limits', async () => {
    const run = await aRun();
    const key = await aKey(run);
    for (const wrong of [{}, { score: 1, thumb: 'up' }, { score: 1.1 }, { thumb: 'sideways' }, { score: 1, x: 1 }]) {
      expect((await feedback(run, { key, ...wrong })).status).toBe(400);
    }
    expect((await feedback(run, { key, score: 1, comment: 'x'.repeat(2001) })).status).toBe(400);
    expect((await feedback(run, 'text')).status).toBe(400);
    expect((await feedback(run, { key, score: 1 })).status).toBe(201);
  });

  it('comes from pages of any origin', async () => {
    const run = await aRun();
    const url = `${gateway.url}${run}/feedback`;
    const origin = 'https://product.example';
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
    const preflight = await fetch(url, { method: 'OPTIONS', headers: asked });
    expect([preflight.status, Object.fromEntries(preflight.headers)]).toMatchObject([
      204,
      { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' },
    ]);
    for (const [key, status] of [
      [await aKey(run), 201],
      ['x', 401],
    ] as const) {
      const headers = { origin, 'content-type': 'application/json' };
      const sent = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ key, thumb: 'up' }) });
      expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
    }
  });
});

describe('a score of the caller', () => {
  it('replaces an earlier one with the same name, and is shown to the owner alone', async () => {
    const run = await aRun();
    const first = await owner.post(`${run}/scores`, { name: 'resolved', score: 0.2, comment: 'Open.' });
    expect([first.status, first.body.data]).toMatchObject([201, { name: 'resolved', score: 0.2, source: 'caller' }]);
    await owner.post(`${run}/scores`, { name: 'resolved', thumb: 'up' });
    await owner.post(`${run}/scores`, { name: 'tone', score: 0.5 });
    expect(await scoresOf(run)).toEqual([
      { name: 'tone', source: 'caller', score: 0.5, reason: null },
      { name: 'resolved', source: 'caller', score: 1, reason: null },
    ]);
    expect(outcome(await stranger.get(`${run}/scores`))).toEqual([404, 'not_found']);
    expect(outcome(await stranger.post(`${run}/scores`, { name: 'tone', score: 1 }))).toEqual([404, 'not_found']);
    expect(outcome(await stranger.post(`${run}/feedback-key`))).toEqual([404, 'not_found']);
  });

  it('is one of at most 50, and needs a name and a score', async () => {
    const run = await aRun();
    const names = Array.from({ length: 50 }, (_, at) => `s${at}`);
    for (const name of names) await owner.post(`${run}/scores`, { name, score: 1 });
    expect(outcome(await owner.post(`${run}/scores`, { name: 'more', score: 1 }))).toEqual([409, 'conflict']);
    expect((await owner.post(`${run}/scores`, { name: 's1', score: 0 })).status).toBe(201);
    for (const wrong of [{ name: 's1' }, { score: 1 }, { name: 'a b', score: 1 }, { name: 's1', score: 2 }]) {
      expect((await owner.post(`${run}/scores`, wrong)).status).toBe(400);
    }
  });

  it('is sent to webhooks', async () => {
    const run = await aRun();
    await owner.post('/v1/webhook-endpoints', { url: 'https://receiver.example/', events: ['run.scored'] });
    await owner.post(`${run}/scores`, { name: 'resolved', score: 0.25 });
    const [event] = await gateway.ctx.db.query<{ data: object }[]>(
      `select payload -> 'data' as data from outbox where payload ->> 'type' = 'run.scored' and payload ->> 'accountId' = $1`,
      [owner.accountId],
    );
    expect(event?.data).toMatchObject({ runId: run.slice(9), lensId, name: 'resolved', score: 0.25, source: 'caller' });
  });
});
