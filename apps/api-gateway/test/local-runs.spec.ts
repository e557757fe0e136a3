import { LensRecord, LocalRun, LocalRunProgress, PlatformRunStatus, parse } from '@lensforge/contracts';
import { newId, platformActor } from '@lensforge/core';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { reconcileRuns } from '@lensforge/runs';
import { aPricedModel } from '@lensforge/models/testing';
import { sequenceFaults } from '@lensforge/runs/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, type Gateway, aGateway, framesOf } from './gateway.js';

let gateway: Gateway;
let token: string;
let accountId: string;
let lensId: string;

beforeAll(async () => {
  gateway = await aGateway({ LENSFORGE_RATE_EXECUTE_PER_MINUTE: '100000' });
});
afterAll(async () => {
  expect(await sequenceFaults(gateway.ctx)).toEqual([]);
  await gateway.stop();
});

beforeEach(async () => {
  ({ id: accountId } = await anAccount(gateway.ctx));
  ({ value: token } = await aToken(gateway.ctx, { accountId }));
  ({ id: lensId } = await aLens(actingAs(gateway.ctx, accountId), { templateBody: '[[Prompt]]' }));
});

const post = (path: string, body: unknown = {}, more: { token?: string } = {}) =>
  gateway.call('POST', path, { token, body, ...more });
const outcome = ({ status, body }: Answer) => [status, body.error?.code];
const accept = async (prompt = 'Say hello', more: object = {}) => {
  const answer = await post(`/v1/lenses/${lensId}/execute`, {
    params: { Prompt: prompt },
    fundingSource: 'user_byok_local',
    ...more,
  });
  expect(outcome(answer)).toEqual([202, undefined]);
  return String(answer.body.data?.['runId']);
};
const claim = async (more: object = {}) => {
  const { status, body } = await post('/v1/local-runs/claim', more);
  expect(status).toBe(200);
  return body.data?.['run'] === null ? undefined : parse(LocalRun, body.data?.['run']);
};
const claimed = async (prompt?: string) => {
  const runId = await accept(prompt);
  const run = await claim();
  if (run?.runId !== runId) throw new Error('another run was claimed');
  return run;
};
const report = (run: LocalRun, body: object = {}) =>
  post(`/v1/local-runs/${run.runId}/events`, { leaseToken: run.lease.token, after: run.sequence, ...body });
const finish = (run: LocalRun, body: object = {}) =>
  post(`/v1/local-runs/${run.runId}/finish`, {
    leaseToken: run.lease.token,
    outcome: 'succeeded',
    text: 'Hello',
    ...body,
  });
const read = async (runId: string) =>
  parse(PlatformRunStatus, (await gateway.call('GET', `/v1/runs/${runId}`, { token })).body.data);
const set = (runId: string, change: string) => gateway.ctx.db.query(`update runs set ${change} where id = $1`, [runId]);
const reconcile = () =>
  reconcileRuns({ ...gateway.ctx, actor: platformActor }, { maxLost: 5, cancelGraceMs: 10_000, limit: 100 });
const jobsOf = (runId: string) =>
  gateway.ctx.db.query<unknown[]>(`select 1 from outbox where payload ->> 'runId' = $1 and job like 'run.%'`, [runId]);

describe('a local run', () => {
  it('is accepted without credits, a hold or a job, then claimed, streamed and finished like any other', async () => {
    const model = await aPricedModel(gateway.ctx);
    const runId = await accept('What is 6 times 7?', { modelOverride: model.key });
    expect(await jobsOf(runId)).toEqual([]);
    expect(await read(runId)).toMatchObject({ status: 'queued', billingStatus: 'none' });
    const run = await claim({ runner: 'my laptop' });
    expect(run).toMatchObject({
      runId,
      prompt: 'What is 6 times 7?',
      model: { provider: 'offline', key: model.key },
      maxOutputTokens: model.maxOutputTokens,
      lease: { token: 1, ms: 30_000 },
      sequence: 2,
    });
    if (!run) return;
    const first = await report(run, { deltas: ['For', 'ty'], log: ['model loaded'] });
    const { sequence, ...progress } = parse(LocalRunProgress, first.body.data);
    expect(progress).toEqual({ cancelRequested: false, leaseMs: 30_000 });
    const again = await report(run, { deltas: ['For', 'ty'], log: ['model loaded'] });
    expect(again.body.data).toMatchObject({ sequence });
    expect((await report(run, { after: sequence, deltas: ['-two'] })).status).toBe(200);
    const usage = { input: 9, output: 3 };
    for (let n = 0; n < 2; n += 1) {
      expect((await finish(run, { text: 'Forty-two', usage })).body.data).toEqual({ runId, status: 'succeeded' });
    }
    expect(await read(runId)).toMatchObject({
      status: 'succeeded',
      tokenInput: 9,
      tokenOutput: 3,
      creditCost: 0,
      billingStatus: 'none',
      artifacts: [{ artifactKind: 'text', contentText: 'Forty-two', isPrimaryOutput: true }],
    });
    const frames = await framesOf(gateway.follow(runId, { headers: { authorization: `Bearer ${token}` } }));
    expect(frames.map(({ event }) => event)).toEqual([
      ...['run.queued', 'run.started', 'node.output.delta', 'node.output.delta', 'log', 'node.output.delta'],
      ...['artifact.created', 'run.succeeded', 'done'],
    ]);
    const text = frames.map(({ data }) => (data.payload as { text?: string }).text ?? '').join('');
    expect(text).toBe('Forty-two');
  });

  it('has the messages and settings of its lens', async () => {
    const created = await post('/v1/lenses', {
      title: 'Support',
      messages: [
        { role: 'system', text: 'You answer requests for support, shortly.' },
        { role: 'user', text: 'Answer: [[Question]]' },
      ],
      settings: { models: ['offline/echo'], sampling: { topP: 0.5, stop: ['END'], maxOutputTokens: 20 } },
    });
    const { id } = parse(LensRecord, created.body.data);
    const body = { params: { Question: 'Why?' }, fundingSource: 'user_byok_local' };
    expect((await post(`/v1/lenses/${id}/execute`, body)).status).toBe(202);
    expect(await claim()).toMatchObject({
      prompt: 'You answer requests for support, shortly.\nAnswer: Why?',
      messages: [
        { role: 'system', text: 'You answer requests for support, shortly.' },
        { role: 'user', text: 'Answer: Why?' },
      ],
      model: { provider: 'offline', key: 'echo' },
      sampling: { topP: 0.5, stop: ['END'] },
      maxOutputTokens: 20,
    });
  });

  it('may fail with the message of its runner', async () => {
    const run = await claimed();
    expect((await finish(run, { outcome: 'failed', error: 'llama is not installed' })).status).toBe(200);
    expect(await read(run.runId)).toMatchObject({
      status: 'failed',
      errorCode: 'LOCAL_RUNNER_FAILED',
      errorMessage: 'llama is not installed',
    });
  });

  it('is claimed by one runner of its account, the oldest run first', async () => {
    const ids = [await accept('1'), await accept('2'), await accept('3')];
    const { value: other } = await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id });
    expect((await post('/v1/local-runs/claim', {}, { token: other })).body.data).toEqual({ run: null });
    expect((await claim())?.runId).toBe(ids[0]);
    const both = await Promise.all([claim(), claim(), claim()]);
    expect(both.flatMap((run) => run?.runId ?? []).sort()).toEqual(ids.slice(1).sort());
  });

  it('is claimed by a runner that waits for it', async () => {
    const waiting = claim({ waitSeconds: 20 });
    const runId = await accept();
    expect((await waiting)?.runId).toBe(runId);
  });

  it('is queued again without a job when its runner stops reporting; the old runner is refused', async () => {
    const run = await claimed();
    await set(run.runId, `lease_until = now() - interval '1 ms'`);
    expect(await reconcile()).toMatchObject({ expired: 1, givenUp: 0 });
    expect(await jobsOf(run.runId)).toEqual([]);
    expect((await read(run.runId)).status).toBe('queued');
    expect(outcome(await report(run, { deltas: ['late'] }))).toEqual([409, 'conflict']);
    const next = await claim();
    expect(next).toMatchObject({ runId: run.runId, lease: { token: 2 } });
    for (const late of [await report(run, { deltas: ['late'] }), await finish(run)]) {
      expect(outcome(late)).toEqual([409, 'conflict']);
      expect(late.body.error?.message).toContain('a later claim took the run');
    }
    if (next) expect((await finish(next)).status).toBe(200);
  });

  it('fails when the third runner stops reporting', async () => {
    const runId = await accept();
    for (let n = 0; n < 3; n += 1) {
      expect((await claim())?.runId).toBe(runId);
      await set(runId, `lease_until = now() - interval '1 ms'`);
      await reconcile();
    }
    expect(await read(runId)).toMatchObject({ status: 'failed', errorCode: 'WORKER_LOST' });
  });

  it('times out when no runner claims or finishes it in time', async () => {
    const [waiting, run] = [await accept('later'), await accept('now')];
    await set(waiting, `deadline_at = now() - interval '1 ms'`);
    expect((await claim())?.runId).toBe(run);
    await set(run, `deadline_at = now() - interval '1 ms'`);
    await reconcile();
    for (const id of [waiting, run]) expect((await read(id)).status).toBe('timed_out');
  });

  it('is asked to stop in the response to the next report', async () => {
    const run = await claimed();
    expect(outcome(await finish(run, { outcome: 'canceled' }))).toEqual([400, 'invalid_request']);
    expect((await post(`/v1/runs/${run.runId}/cancel`)).body.data).toMatchObject({ status: 'running' });
    expect((await report(run)).body.data).toMatchObject({ cancelRequested: true });
    expect((await finish(run, { outcome: 'canceled' })).body.data).toMatchObject({ status: 'canceled' });
    expect(outcome(await report(run))).toEqual([409, 'conflict']);
    const queued = await accept();
    expect((await post(`/v1/runs/${queued}/cancel`)).body.data).toMatchObject({ status: 'canceled' });
    expect(await claim()).toBeUndefined();
  });

  it('has its lease extended by each report', async () => {
    const run = await claimed();
    await set(run.runId, `lease_until = now() + interval '1 s'`);
    await report(run);
    const [row] = await gateway.ctx.db.query<{ left: number }[]>(
      'select extract(epoch from lease_until - now())::float8 as left from runs where id = $1',
      [run.runId],
    );
    expect(row?.left).toBeGreaterThan(2);
  });
});

describe('a local runner', () => {
  it.each([
    ['claim', { waitSeconds: 21 }],
    ['claim', { waitSeconds: -1 }],
    ['claim', { runner: ' ' }],
    ['claim', { surprise: 1 }],
    ['ID/events', { leaseToken: 1 }],
    ['ID/events', { leaseToken: 0, after: 1 }],
    ['ID/events', { leaseToken: 1, after: 1, deltas: [''] }],
    ['ID/finish', { leaseToken: 1, outcome: 'done' }],
    ['ID/finish', { leaseToken: 1, outcome: 'succeeded', usage: { input: -1, output: 0 } }],
  ])('gets 400 from %s with %j', async (path, body) => {
    expect(outcome(await post(`/v1/local-runs/${path.replace('ID', newId())}`, body))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('gets 400 when the outcome lacks its members, or the output is not the requested JSON', async () => {
    const run = await claimed();
    expect(outcome(await finish(run, { text: undefined }))).toEqual([400, 'invalid_request']);
    expect(outcome(await finish(run, { outcome: 'failed' }))).toEqual([400, 'invalid_request']);
    await set(run.runId, `output_schema = '{"type": "object"}'`);
    expect(outcome(await finish(run, { text: 'Hello' }))).toEqual([400, 'invalid_request']);
    expect((await finish(run, { text: '{"a": 1}' })).status).toBe(200);
    expect((await read(run.runId)).artifacts).toMatchObject([{ artifactKind: 'json', contentJson: { a: 1 } }]);
  });

  it('gets 401, 403, 404, 409, 413 and 415', async () => {
    const run = await claimed();
    expect(outcome(await post('/v1/local-runs/claim', {}, { token: '' }))).toEqual([401, 'unauthorized']);
    const { value: machine } = await aToken(gateway.ctx, { kind: 'service', accountId });
    expect(outcome(await post('/v1/local-runs/claim', {}, { token: machine }))).toEqual([403, 'forbidden']);
    const { value: other } = await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id });
    const path = `/v1/local-runs/${run.runId}/events`;
    expect(outcome(await post(path, { leaseToken: 1, after: 2 }, { token: other }))).toEqual([404, 'not_found']);
    const { body } = await post(`/v1/lenses/${lensId}/execute`, { params: { Prompt: 'x' } });
    const ours = `/v1/local-runs/${String(body.data?.['runId'])}/finish`;
    expect(outcome(await post(ours, { leaseToken: 1, outcome: 'failed', error: 'x' }))).toEqual([409, 'conflict']);
    expect(outcome(await post(path, { leaseToken: 1, after: 2, log: ['x'.repeat(5_000_000)] }))[0]).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    expect((await gateway.call('POST', path, { token, body: '{}', headers })).status).toBe(415);
  });
});
