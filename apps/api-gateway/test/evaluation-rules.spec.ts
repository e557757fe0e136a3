import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestCaller, aCaller, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let owner: TestCaller;
let lensId: string;
let scorerId: string;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  owner = await aCaller(gateway);
  const templateBody = 'Answer [[Name]] politely, in a few words, so that a person can say if it helped.';
  lensId = String((await owner.post('/v1/lenses', { title: 'Helper', templateBody })).body.data?.['id']);
  const rule = { kind: 'check', assertions: [{ type: 'contains', value: 'please' }] };
  scorerId = String((await owner.post('/v1/scorers', { name: 'polite', rule })).body.data?.['id']);
});
afterAll(() => gateway.stop());

let count = 0;
const aRule = async (): Promise<string> => {
  const { body } = await owner.post('/v1/evaluation-rules', {
    name: `r${(count += 1)}`,
    lensId,
    scorers: [{ id: scorerId }],
  });
  return `/v1/evaluation-rules/${String(body.data?.['id'])}`;
};

describe('a rule of evaluation', () => {
  it('is created, listed, changed and deleted, and its name is refused a second time with 409', async () => {
    const order = { name: 'polite', lensId, label: 'production', share: 12.5, scorers: [{ id: scorerId }] };
    const created = await owner.post('/v1/evaluation-rules', order);
    expect([created.status, created.body.data]).toMatchObject([
      201,
      {
        ...order,
        workflowId: null,
        tag: null,
        scorers: [{ id: scorerId, name: 'polite', version: 1, kind: 'check' }],
        creditsPerDay: 1000,
        creditsToday: 0,
        pending: 0,
        enabled: true,
        suspendedReason: null,
        authority: { accountId: owner.accountId, credentialKind: 'session' },
      },
    ]);
    expect(outcome(await owner.post('/v1/evaluation-rules', order))).toEqual([409, 'conflict']);
    const path = `/v1/evaluation-rules/${String(created.body.data?.['id'])}`;
    const changed = await owner.patch(path, { share: 50, creditsPerDay: 5, enabled: false });
    expect(changed.body.data).toMatchObject({ share: 50, creditsPerDay: 5, enabled: false });
    expect(items(await owner.get(`/v1/evaluation-rules?lensId=${lensId}`))).toMatchObject([{ name: 'polite' }]);
    expect(outcome(await owner.patch(path, { share: 0 }))).toEqual([400, 'invalid_request']);
    expect((await owner.remove(path)).body.data).toMatchObject({ removed: true });
    expect(outcome(await owner.get(path))).toEqual([404, 'not_found']);
  });

  it('says of a run that it waits for its end', async () => {
    const path = await aRule();
    const { body } = await owner.post(`/v1/lenses/${lensId}/execute`, { params: { Name: 'Ada' } });
    const evaluations = items(await owner.get(`/v1/runs/${String(body.data?.['runId'])}/evaluations`));
    expect(evaluations).toMatchObject([
      { ruleId: path.slice(-36), state: 'pending', reason: 'the run has not ended', scores: [], credits: 0 },
    ]);
  });

  it('is refused changes and backfills with 409 while it is suspended, and acts again after a take-over', async () => {
    const path = await aRule();
    await gateway.ctx.db.query(
      `update evaluation_rules set suspended_at = now(), suspended_reason = 'creator_removed' where id = $1`,
      [path.slice(-36)],
    );
    expect((await owner.get(path)).body.data).toMatchObject({ suspendedReason: 'creator_removed' });
    expect(outcome(await owner.patch(path, { enabled: true }))).toEqual([409, 'conflict']);
    const range = { from: '2026-01-01T00:00:00Z' };
    expect(outcome(await owner.post(`${path}/backfill`, range))).toEqual([409, 'conflict']);
    expect((await owner.post(`${path}/take-over`)).body.data).toMatchObject({ suspendedReason: null });
    expect((await owner.post(`${path}/backfill`, range)).body.data).toEqual({ runs: 0, added: 0, continueWith: null });
  });
});
