import { listAudit } from '@lensforge/audit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FailedRuns, FailedRunsRetried, OperatorStatus, parse } from '@lensforge/contracts';
import { setOperator } from '@lensforge/identity';
import { actingAs, aToken } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { publishPauses } from '@lensforge/queue';
import { endRun } from '@lensforge/runs';
import { aRun, aStoredRun } from '@lensforge/runs/testing';
import { type TestCaller, aCaller, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

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

  it('has the pauses of all workers by provider and model, with the runs that wait', async () => {
    expect((await statusOf()).providerPauses).toEqual([]);
    const [{ provider, model }] = await gateway.ctx.db.query<[{ provider: string; model: string }]>(
      'select m.provider_key as provider, m.key as model from runs r join models m on m.id = r.model_id where r.id = $1',
      [runId],
    );
    await gateway.ctx.db.query('update runs set attempt = 1 where id = $1', [runId]);
    const { redis, environment } = gateway.service.platform;
    const publish = (worker: string, failures: number, until: number) =>
      publishPauses({
        redis,
        prefix: environment.queuePrefix,
        worker,
        pauses: [
          {
            provider,
            model,
            byok: false,
            keys: 1,
            reason: 'limited',
            failures,
            since: until - 9,
            until,
            waitingCalls: 2,
          },
          { provider, model: null, byok: true, keys: 3, reason: 'unpaid', failures, since: 1, until, waitingCalls: 0 },
        ],
      });
    await publish('one', 1, 5000);
    await publish('two', 4, 3000);
    const common = { provider, workers: 2, failures: 4, until: '1970-01-01T00:00:05.000Z' };
    expect((await statusOf()).providerPauses).toEqual([
      {
        ...common,
        model,
        byok: false,
        keys: 1,
        reason: 'limited',
        since: '1970-01-01T00:00:02.991Z',
        waitingCalls: 4,
        waitingRuns: 1,
      },
      {
        ...common,
        model: null,
        byok: true,
        keys: 3,
        reason: 'unpaid',
        since: '1970-01-01T00:00:00.001Z',
        waitingCalls: 0,
        waitingRuns: 0,
      },
    ]);
    await gateway.ctx.db.query('update runs set attempt = 0 where id = $1', [runId]);
  });

  it('answers 403 to others, and to a token of an operator', async () => {
    expect(outcome(await other.get('/v1/operator/status'))).toEqual([403, 'forbidden']);
    const { value } = await aToken(gateway.ctx, { accountId: operator.accountId });
    expect((await gateway.call('GET', '/v1/operator/status', { token: value })).status).toBe(403);
    expect((await operator.get('/v1/me')).body.data).toMatchObject({ operator: true });
    expect((await other.get('/v1/me')).body.data).not.toHaveProperty('operator');
  });
});

describe('GET /v1/operator/run-statistics', () => {
  const path = (): string => `/v1/operator/run-statistics?from=${new Date(Date.now() - 60_000).toISOString()}`;

  it('answers 200 with the runs of all accounts', async () => {
    const { status, body } = await operator.get(path());
    const { buckets } = body.data as unknown as { buckets: { queued: number }[] };
    expect(status).toBe(200);
    expect(buckets.reduce((sum, { queued }) => sum + queued, 0)).toBeGreaterThanOrEqual(1);
  });

  it('answers 400 without a time, and 403 to others', async () => {
    expect((await operator.get('/v1/operator/run-statistics')).status).toBe(400);
    expect((await other.get(path())).status).toBe(403);
  });
});

describe('GET /v1/operator/runs', () => {
  const ids = async (list: string): Promise<string[]> => {
    const { status, body } = await operator.get(`/v1/operator/runs?list=${list}`);
    expect(status).toBe(200);
    return (body.data as unknown as { runs: { id: string }[] }).runs.map(({ id }) => id);
  };

  it('answers 200 with the oldest, stuck, failed and lost runs of all accounts', async () => {
    expect(await ids('oldest')).toContain(runId);
    expect(await ids('stuck')).toEqual([]);
    const [failed, lost, stuck] = [await aFailed('PROVIDER_FAILED'), await aFailed('WORKER_LOST'), await aStuck()];
    expect(await ids('stuck')).toEqual([stuck]);
    expect(await ids('lost')).toEqual([lost]);
    expect(await ids('failed')).toEqual([lost, failed]);
    await gateway.ctx.db.query('delete from runs where id = any ($1)', [[failed, lost, stuck]]);
  });

  const aFailed = async (code: string): Promise<string> => {
    const id = await aStoredRun(actingAs(gateway.ctx, other.accountId), { status: 'failed' });
    await gateway.ctx.db.query('update runs set error_code = $2 where id = $1', [id, code]);
    return id;
  };
  const aStuck = async (): Promise<string> => {
    const id = await aStoredRun(actingAs(gateway.ctx, other.accountId), { status: 'running' });
    await gateway.ctx.db.query(`update runs set lease_until = now() - interval '2 minutes' where id = $1`, [id]);
    return id;
  };

  it('says whose a run is, and nothing of its contents', async () => {
    const { body } = await operator.get('/v1/operator/runs?list=oldest');
    const run = (body.data as unknown as { runs: { id: string }[] }).runs.find(({ id }) => id === runId);
    expect(run).toEqual({
      id: runId,
      accountId: other.accountId,
      accountHandle: expect.any(String),
      kind: 'lens',
      status: 'queued',
      errorCode: null,
      worker: null,
      waitsFor: null,
      createdAt: expect.any(String),
      deadlineAt: expect.any(String),
    });
  });

  it('answers 400 for an unknown list, and 403 to others', async () => {
    expect((await operator.get('/v1/operator/runs?list=all')).status).toBe(400);
    expect((await other.get('/v1/operator/runs?list=stuck')).status).toBe(403);
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

describe('GET and POST /v1/operator/failed-runs', () => {
  const filter = { createdAfter: '', createdBefore: '', errorCode: 'PROVIDER_UNAVAILABLE' };
  const path = (): string => `/v1/operator/failed-runs?${new URLSearchParams(filter).toString()}`;
  const count = async (): Promise<FailedRuns> => parse(FailedRuns, (await operator.get(path())).body.data);
  const retry = async (more: object = {}): Promise<FailedRunsRetried> => {
    const answer = await operator.post('/v1/operator/failed-runs/retry', { filter, ...more });
    expect(outcome(answer)).toEqual([200, undefined]);
    return parse(FailedRunsRetried, answer.body.data);
  };
  const lastEntry = async (accountId: string): Promise<object | undefined> => {
    const [entry] = (await listAudit(gateway.ctx, { accountId, limit: 1 })).items;
    return entry && { action: entry.action, by: entry.actor.accountId, details: entry.details };
  };
  const failed: string[] = [];
  beforeAll(async () => {
    filter.createdAfter = new Date(Date.now() - 60_000).toISOString();
    filter.createdBefore = new Date(Date.now() + 60_000).toISOString();
    const ctx = actingAs(gateway.ctx, other.accountId);
    for (let n = 0; n < 3; n += 1) {
      const { runId } = await aRun(ctx);
      const end = { status: 'timed_out', reason: 'test', errorCode: filter.errorCode } as const;
      await endRun(gateway.ctx, { runId, from: 'queued', ...end });
      failed.unshift(runId);
    }
  });

  it('answers 200 with the failed runs, retries them in pages, and audits it for operator and account', async () => {
    expect(await count()).toMatchObject({ runs: 3, accounts: 1, groups: [{ errorCode: filter.errorCode, runs: 3 }] });
    const first = await retry({ limit: 2 });
    expect(first).toEqual({ matched: 2, retried: 2, refused: [], next: failed[1] });
    const [by, action] = [operator.accountId, 'runs.retried'];
    expect(await lastEntry(operator.accountId)).toEqual({ action, by, details: { filter, runs: 2 } });
    const runIds = failed.slice(0, 2);
    expect(await lastEntry(other.accountId)).toEqual({ action, by, details: { byOperator: true, runIds } });
    expect(await retry({ limit: 2, before: first.next })).toEqual({ matched: 1, retried: 1, refused: [], next: null });
    const retries = await Promise.all(failed.map((id) => other.get(`/v1/runs?parentRunId=${id}`)));
    expect(retries.map(({ body }) => (body.data as unknown as object[]).length)).toEqual([1, 1, 1]);
  });

  it('retries no run again, and has no entry for nothing', async () => {
    const before = await lastEntry(operator.accountId);
    expect(await count()).toEqual({ runs: 0, accounts: 0, credits: 0, groups: [] });
    expect(await retry()).toEqual({ matched: 0, retried: 0, refused: [], next: null });
    expect(await lastEntry(operator.accountId)).toEqual(before);
  });

  it('answers 400 for more than a day or 100 runs, and 403 to others', async () => {
    const long = { ...filter, createdAfter: new Date(Date.now() - 90_000_000).toISOString() };
    expect((await operator.post('/v1/operator/failed-runs/retry', { filter: long })).status).toBe(400);
    expect((await operator.post('/v1/operator/failed-runs/retry', { filter, limit: 101 })).status).toBe(400);
    expect((await other.post('/v1/operator/failed-runs/retry', { filter })).status).toBe(403);
    expect((await other.get(path())).status).toBe(403);
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
