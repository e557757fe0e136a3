import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Scope } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type ResolvedLens, runLens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type RunsDatabase, openRunsDatabase, plenty } from '../../test/runs-database.js';
import {
  admitRuns,
  cancelRun,
  countNodeResults,
  countWaiting,
  limitRuns,
  listArtifacts,
  listRuns,
  queuedRuns,
  readRun,
  reconcileRuns,
  recordLensRun,
  reportRun,
  restoreJobs,
  retryRun,
  runFaults,
} from '../index.js';
import { aRun } from '../testing.js';

let database: RunsDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await openRunsDatabase();
  ctx = database.ctx;
});
afterAll(async () => {
  expect(await database.faults()).toEqual([]);
  await database.close();
});

const graphWithRequiredInput = {
  nodes: [{ id: 'a', type: 'transform', settings: { expression: '1' } }],
  inputs: { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } },
};

async function recorded(owner = ctx): Promise<ResolvedLens & { runId: string; workflowId: string }> {
  const { id: workflowId } = await aWorkflow(owner, { graph: graphWithRequiredInput });
  const { id: lensId } = await aLens(owner);
  const resolved = await runLens(owner, { lensId, paramValues: { name: 'Ada' }, workflowId }, recordLensRun);
  return { ...resolved, runId: String(resolved.runId), workflowId };
}
const withScopes = (...scopes: Scope[]): Context => ({ ...ctx, actor: { ...ctx.actor, scopes } });
const expire = (runId: string) => database.set(runId, `deadline_at = now() - interval '1 s'`);
const reconcile = () => reconcileRuns(database.platform, { maxLost: 3, cancelGraceMs: 10_000, limit: 100 });
const everything = { limit: 100 };

describe('run_lens with a workflow', () => {
  it('writes a tracking record with the prompt and its parameters, without validating workflow inputs', async () => {
    const { runId, workflowId, lensId, versionId, resolvedPrompt, persisted, nextStep } = await recorded();
    expect(persisted).toBe(true);
    expect(nextStep).toContain(`POST /v1/runs/${runId}/report`);
    const trace = { contentJson: { prompt: resolvedPrompt, params: { Name: 'Ada' } }, isPrimaryOutput: false };
    expect(await readRun(ctx, runId)).toMatchObject({
      kind: 'workflow',
      origin: 'tracking',
      status: 'queued',
      workflowId,
      lensId,
      lensVersionId: versionId,
      artifacts: [{ artifactKind: 'trace', ...trace }],
    });
    expect(await database.typesOf(runId)).toEqual(['run.queued', 'artifact.created']);
    const { items } = await listRuns(ctx, { ...everything, workflowId });
    expect(items).toMatchObject([{ id: runId, origin: 'tracking', status: 'queued', lensId }]);
    expect(await countNodeResults(ctx, runId)).toEqual({ total: 0, completed: 0, failed: 0, skipped: 0 });
  });

  it('writes no job, hold or slot, and no worker can claim the run', async () => {
    const owner = await database.anAccount(50);
    const { runId } = await recorded(owner);
    expect(await database.outboxOf(runId)).toEqual([]);
    expect(await readRun(owner, runId)).toMatchObject({ billingStatus: 'none', creditCost: null });
    database.changes.take();
    await admitRuns(ctx, [owner.actor.accountId]);
    expect(database.changes.take().jobs).toEqual([]);
    expect(await queuedRuns(ctx, { after: null, olderThanMs: -1000, limit: 100 })).toEqual([]);
    expect(await restoreJobs(ctx, [{ id: runId, generation: 0 }])).toBe(0);
    expect(await database.outboxOf(runId)).toEqual([]);
    expect(await countWaiting(ctx)).toMatchObject({ slot: 0, runner: 0, report: expect.any(Number) });
  });

  it('does not count tracking records in the backlog', async () => {
    const owner = await database.anAccount();
    for (let n = 0; n < 3; n += 1) await recorded(owner);
    limitRuns(database.source, { atOnce: 10, backlog: 2 });
    try {
      const { runId } = await aRun(owner);
      expect(database.changes.takeJob(runId)).toBeDefined();
      await aRun(owner);
      await expect(aRun(owner)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    } finally {
      limitRuns(database.source, plenty);
    }
  });

  it('needs workflows:write, and a workflow that the caller can read', async () => {
    const { id: workflowId } = await aWorkflow(ctx);
    const { id: lensId } = await aLens(ctx);
    const values = { lensId, paramValues: { name: 'Ada' } };
    const reading = withScopes('lenses:read', 'workflows:read');
    await expect(runLens(reading, { ...values, workflowId }, recordLensRun)).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
    await expect(runLens(ctx, { ...values, workflowId: newId() }, recordLensRun)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const writing = withScopes('lenses:read', 'workflows:write');
    expect((await runLens(writing, { ...values, workflowId }, recordLensRun)).persisted).toBe(true);
  });
});

describe('reportRun', () => {
  it('ends a tracking record as succeeded, with the output and the tokens that the caller counted', async () => {
    const { runId } = await recorded();
    database.changes.take();
    const reported = await reportRun(ctx, { runId, status: 'succeeded', output: 'Hi!', tokenInput: 7, tokenOutput: 2 });
    expect(reported).toMatchObject({ runId, status: 'succeeded' });
    const { events } = database.changes.take();
    expect(events.map(({ eventType }) => eventType)).toEqual(['artifact.created', 'run.succeeded']);
    expect(await readRun(ctx, runId)).toMatchObject({
      status: 'succeeded',
      tokenInput: 7,
      tokenOutput: 2,
      creditCost: 0,
      billingStatus: 'none',
      startedAt: expect.any(String),
      completedAt: expect.any(String),
      latencyMs: expect.any(Number),
    });
    const { items } = await listArtifacts(ctx, { runId, ...everything, offset: 0 });
    expect(items).toMatchObject([
      { artifactKind: 'text', contentText: 'Hi!', isPrimaryOutput: true },
      { artifactKind: 'trace', isPrimaryOutput: false },
    ]);
  });

  it('stores an output that is not text as JSON, also null', async () => {
    for (const output of [{ answer: [42, null] }, false, null]) {
      const { runId } = await recorded();
      await reportRun(ctx, { runId, status: 'succeeded', output });
      const { artifacts } = await readRun(ctx, runId);
      expect(artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput)).toMatchObject({
        artifactKind: 'json',
        contentJson: output,
      });
    }
  });

  it('ends a record as failed with the error of the caller, and writes webhook events', async () => {
    const owner = await database.anAccount();
    await database.source.query(
      `insert into webhook_endpoints (id, account_id, url, events, secret)
       values ($1, $2, 'https://receiver.example/', '{run.completed,run.failed}', '')`,
      [newId(), owner.actor.accountId],
    );
    const [bad, good] = [await recorded(owner), await recorded(owner)];
    await reportRun(owner, { runId: bad.runId, status: 'failed', error: 'The model refused' });
    await reportRun(owner, { runId: good.runId, status: 'succeeded', output: 'Hi!' });
    const error = { code: 'REPORTED_FAILED', message: 'The model refused' };
    expect(await readRun(owner, bad.runId)).toMatchObject({
      status: 'failed',
      errorCode: error.code,
      errorMessage: error.message,
    });
    const published = await database.source.query<{ payload: { data: object } }[]>(
      `select payload from outbox where job = 'platform-event.fan-out' and payload ->> 'accountId' = $1 order by available_at, id`,
      [owner.actor.accountId],
    );
    expect(published.map(({ payload }) => payload)).toMatchObject([
      { type: 'run.failed', data: { runId: bad.runId, workflowId: bad.workflowId, lensId: bad.lensId, error } },
      { type: 'run.completed', data: { runId: good.runId, outputs: [{ contentText: 'Hi!' }] } },
    ]);
  });

  it('accepts one report, also of two at a time, and none after a cancellation', async () => {
    const { runId } = await recorded();
    const reports = await Promise.allSettled([
      reportRun(ctx, { runId, status: 'succeeded' }),
      reportRun(ctx, { runId, status: 'failed' }),
    ]);
    expect(reports.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(reportRun(ctx, { runId, status: 'succeeded' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^This tracking record has ended as (succeeded|failed) already/),
    });
    const canceled = await recorded();
    expect(await cancelRun(ctx, canceled.runId)).toMatchObject({ status: 'canceled' });
    await expect(reportRun(ctx, { runId: canceled.runId, status: 'failed' })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { status: 'canceled' },
    });
  });

  it('refuses runs that the platform executes, runs of other accounts and an error without a failure', async () => {
    const { runId } = await aRun(ctx);
    await expect(reportRun(ctx, { runId, status: 'succeeded' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('only a tracking record'),
    });
    const own = await recorded();
    await expect(
      reportRun(await database.anAccount(), { runId: own.runId, status: 'succeeded' }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(reportRun(ctx, { runId: own.runId, status: 'succeeded', error: 'no' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      details: { issues: [{ path: 'error', message: 'is allowed with the status failed only' }] },
    });
    await expect(
      reportRun(withScopes('workflows:read'), { runId: own.runId, status: 'succeeded' }),
    ).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });
});

describe('a tracking record', () => {
  it('is canceled as not reported after its deadline, and is no fault earlier', async () => {
    const { runId } = await recorded();
    expect(await reconcile()).toMatchObject({ canceled: 0, timedOut: 0 });
    expect(await runFaults(ctx, { lateMs: 0, latest: 100 })).toMatchObject({ stuck: 0 });
    await expire(runId);
    database.changes.take();
    const { canceled, timedOut } = await reconcile();
    const { events } = database.changes.take();
    expect([canceled, timedOut]).toEqual([1, 0]);
    expect(events).toMatchObject([{ runId, eventType: 'run.canceled', payload: { reason: 'not_reported' } }]);
    expect(await readRun(ctx, runId)).toMatchObject({
      status: 'canceled',
      errorCode: 'NOT_REPORTED',
      errorMessage: 'The caller did not report the outcome of this tracking record in time',
    });
  });

  it('waits for the configured time, by default a day', async () => {
    const waitsMs = async () => {
      const { runId } = await recorded();
      const [row] = await database.source.query<[{ ms: number }]>(
        'select (extract(epoch from deadline_at - created_at) * 1000)::float8 as ms from runs where id = $1',
        [runId],
      );
      return row.ms;
    };
    expect(await waitsMs()).toBe(86_400_000);
    limitRuns(database.source, { ...plenty, trackingMs: 60_000 });
    expect(await waitsMs()).toBe(60_000);
    limitRuns(database.source, plenty);
  });

  it('cannot be retried', async () => {
    const { runId } = await recorded();
    await reportRun(ctx, { runId, status: 'failed' });
    await expect(retryRun(ctx, { runId })).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
      message: 'A tracking record cannot be retried: record a new one with the tool run_lens and its workflow_id',
    });
  });
});
