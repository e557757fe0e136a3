import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorStatus, parse } from '@lensforge/contracts';
import { setOperator } from '@lensforge/identity';
import { actingAs, aToken } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import type { TestCaller } from './callers.js';
import { aCaller, outcome } from './callers.js';
import type { SignedInGateway } from './signed-in.js';
import { aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let operator: TestCaller;
let other: TestCaller;
let runId: string;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  [operator, other] = [await aCaller(gateway), await aCaller(gateway)];
  await setOperator(gateway.ctx, { accountId: operator.accountId, operator: true });
  const { id } = await aLens(actingAs(gateway.ctx, other.accountId), { templateBody: 'Write a note about [[Topic]].' });
  const accepted = await other.post(`/v1/lenses/${id}/execute`, { params: { Topic: 'the sea' } });
  runId = String(accepted.body.data?.['runId']);
});
afterAll(() => gateway.stop());

const statusOf = async (): Promise<OperatorStatus> => {
  const answer = await operator.get('/v1/operator/status');
  expect(outcome(answer)).toEqual([200, undefined]);
  return parse(OperatorStatus, answer.body.data);
};
const actions = async (): Promise<string[]> => {
  const rows = await gateway.ctx.db.query<{ action: string }[]>(
    'select action from audit_entries where account_id = $1 order by sequence',
    [operator.accountId],
  );
  return rows.map(({ action }) => action);
};

describe('GET /v1/operator/status', () => {
  it('answers 200 with stores, queues, runs and invariants', async () => {
    const { database, redis, queues, runs, invariants, outbox } = await statusOf();
    expect(database.version).toMatch(/^\d+/);
    expect(database.schema).toBeGreaterThanOrEqual(13);
    expect(database.connections).toBeLessThan(database.maxConnections);
    expect(redis?.bytes).toBeGreaterThan(0);
    expect(queues.length).toBeGreaterThan(3);
    expect(runs).toMatchObject({ running: 0, lost: 0 });
    expect(runs.queued).toBeGreaterThanOrEqual(1);
    expect(runs.accepted).toBeGreaterThanOrEqual(1);
    expect(invariants).toEqual({ stuckRuns: 0, unsettledCredits: 0, eventGaps: 0, staleOutbox: 0 });
    expect(outbox.oldestSeconds).toBeLessThan(60);
  });

  it('answers 403 to others, and to a token of an operator', async () => {
    expect(outcome(await other.get('/v1/operator/status'))).toEqual([403, 'forbidden']);
    const { value } = await aToken(gateway.ctx, { accountId: operator.accountId });
    expect((await gateway.call('GET', '/v1/operator/status', { token: value })).status).toBe(403);
    expect((await operator.get('/v1/me')).body.data).toMatchObject({ operator: true });
    expect((await other.get('/v1/me')).body.data).not.toHaveProperty('operator');
  });
});

describe('PATCH /v1/operator/queues/{queue}', () => {
  it('answers 200 with the queue, paused and not, and audits both', async () => {
    const [{ queue } = { queue: '' }] = (await statusOf()).queues;
    for (const paused of [true, true, false]) {
      const answer = await operator.patch(`/v1/operator/queues/${queue}`, { paused });
      expect(answer.body.data).toMatchObject({ queue, paused });
      expect((await statusOf()).queues.find((each) => each.queue === queue)?.paused).toBe(paused);
    }
    expect(await actions()).toEqual(['operator.appointed', 'queue.paused', 'queue.paused', 'queue.resumed']);
  });

  it('answers 400 for an unknown queue, and 403 to others', async () => {
    expect((await operator.patch('/v1/operator/queues/none', { paused: true })).status).toBe(400);
    expect((await other.patch('/v1/operator/queues/runs', { paused: true })).status).toBe(403);
  });
});

describe('POST /v1/operator/requeue', () => {
  it('answers 200 and gives queued runs another job', async () => {
    const generation = async (): Promise<number> => {
      const [run] = await gateway.ctx.db.query<{ generation: number }[]>('select generation from runs where id = $1', [
        runId,
      ]);
      return run?.generation ?? -1;
    };
    const before = await generation();
    const answer = await operator.post('/v1/operator/requeue');
    expect(answer.status).toBe(200);
    expect(answer.body.data?.['requeued']).toBeGreaterThanOrEqual(1);
    expect(await generation()).toBe(before + 1);
    expect((await actions()).at(-1)).toBe('runs.requeued');
  });

  it('answers 403 to others, and to an operator who was dismissed', async () => {
    expect((await other.post('/v1/operator/requeue')).status).toBe(403);
    await setOperator(gateway.ctx, { accountId: operator.accountId, operator: false });
    expect((await operator.post('/v1/operator/requeue')).status).toBe(403);
  });
});
