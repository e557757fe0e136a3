import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlatformRunStatus, listFields, parse } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import {
  type Finish,
  cancelRun,
  finishRuns,
  finishWithSettlement,
  readEvents,
  readRun,
  readRunPositions,
  readableRun,
  reconcileRuns,
} from '../index.js';
import { aFinish, aRun, aStoredRun } from '../testing.js';

let database: RunsDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await openRunsDatabase();
  ctx = database.ctx;
});
afterAll(() => database.close());

/** Returns the response as JSON; throws when it violates the contract. */
async function read(runId: string, who = ctx): Promise<PlatformRunStatus> {
  const status = await readRun(who, runId);
  const sent = JSON.parse(JSON.stringify(status)) as object;
  expect(Object.keys(sent).sort()).toEqual([...listFields(PlatformRunStatus).keys()].sort());
  return parse(PlatformRunStatus, sent);
}

async function finished(more: Partial<Finish> = {}): Promise<string> {
  const run = await database.aClaimedRun(ctx, { credits: true });
  const artifact = (isPrimaryOutput: boolean, contentJson: unknown = null) => ({
    id: newId(),
    kind: 'json' as const,
    contentText: isPrimaryOutput ? 'Hello' : null,
    contentJson,
    isPrimaryOutput,
  });
  const artifacts = [artifact(false, [1, { a: null }]), artifact(true)];
  const finish = aFinish(run, { artifacts, cost: 7, tokenInput: 3, tokenOutput: 5, ...more });
  await finishWithSettlement(database.platform, finish);
  return run.id;
}

describe('readRun', () => {
  it('returns null members for a queued run', async () => {
    const { runId } = await aRun(ctx);
    expect(await read(runId)).toEqual({
      id: runId,
      requestId: ctx.requestId,
      kind: 'lens',
      origin: 'caller',
      lensId: expect.any(String),
      lensVersionId: expect.any(String),
      workflowId: null,
      workflowVersionId: null,
      label: null,
      arm: null,
      status: 'queued',
      modelId: expect.any(String),
      modelKey: 'echo',
      providerKey: 'offline',
      startedAt: null,
      completedAt: null,
      latencyMs: null,
      tokenInput: null,
      tokenOutput: null,
      tokenDetails: null,
      finishReason: null,
      requiredAction: null,
      creditCost: null,
      billingStatus: 'none',
      errorCode: null,
      errorMessage: null,
      artifacts: [],
      tags: [],
      metadata: null,
      batchId: null,
      parentRunId: null,
      createdAt: expect.any(String),
    });
  });

  it('returns artifacts, the primary one first, and the cost of a succeeded run', async () => {
    const run = await read(await finished());
    expect(run).toMatchObject({
      status: 'succeeded',
      modelKey: database.pricey.key,
      tokenInput: 3,
      tokenOutput: 5,
      creditCost: 7,
      billingStatus: 'charged',
    });
    const { startedAt, completedAt, latencyMs } = run;
    expect(Math.abs(Date.parse(completedAt!) - Date.parse(startedAt!) - latencyMs!)).toBeLessThanOrEqual(1);
    expect(run.artifacts).toEqual([
      {
        id: expect.any(String),
        artifactKind: 'json',
        contentText: 'Hello',
        contentJson: null,
        isPrimaryOutput: true,
        visibility: 'private',
        createdAt: completedAt,
      },
      expect.objectContaining({ contentText: null, contentJson: [1, { a: null }], isPrimaryOutput: false }),
    ]);
  });

  it('returns the same shape for running, failed, canceled and timed-out runs', async () => {
    const running = await database.aClaimedRun();
    expect(await read(running.id)).toMatchObject({
      status: 'running',
      startedAt: expect.any(String),
      completedAt: null,
    });

    const failure = { errorCode: 'X', errorMessage: 'no' };
    const failed = await finished({ failure, artifacts: [], cost: 0, tokenInput: null, tokenOutput: null });
    expect(await read(failed)).toMatchObject({
      status: 'failed',
      ...failure,
      creditCost: 0,
      billingStatus: 'released',
    });

    const canceled = (await aRun(ctx)).runId;
    await cancelRun(ctx, canceled);
    expect(await read(canceled)).toMatchObject({ status: 'canceled', latencyMs: null, errorCode: null, creditCost: 0 });

    const late = (await aRun(ctx)).runId;
    await database.set(late, 'deadline_at = now()');
    await reconcileRuns(database.platform, { maxLost: 5, cancelGraceMs: 1000, limit: 10 });
    expect(await read(late)).toMatchObject({ status: 'timed_out', errorCode: 'RUN_TIMED_OUT', startedAt: null });
  });

  it('refuses runs of another account, and callers without the scope', async () => {
    const { runId } = await aRun(ctx);
    const stranger = await database.anAccount();
    const missing = newId();
    for (const look of [readRun, readableRun]) {
      for (const [who, id] of [
        [stranger, runId],
        [ctx, missing],
      ] as const) {
        await expect(look(who, id)).rejects.toMatchObject({
          code: 'NOT_FOUND',
          message: `There is no run with the id ${id} that you can reach`,
        });
      }
      await expect(look(database.platform, runId)).resolves.toMatchObject({ id: runId });
      const weak = { ...ctx, actor: { ...ctx.actor, scopes: ['workflows:read' as const] } };
      await expect(look(weak, runId)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    }
    const { runId: workflowRun } = await aRun(ctx);
    await database.set(workflowRun, `kind = 'workflow'`);
    const reader = { ...ctx, actor: { ...ctx.actor, scopes: ['lenses:read' as const] } };
    for (const look of [readRun, readableRun]) {
      await expect(look(reader, workflowRun)).rejects.toMatchObject({ details: { scope: 'workflows:read' } });
    }
    for (const kind of ['prompt', 'judging'] as const) {
      const id = await aStoredRun(ctx, { kind });
      const battler = { ...ctx, actor: { ...ctx.actor, scopes: ['community:read' as const] } };
      for (const look of [readRun, readableRun]) {
        await expect(look(battler, id)).resolves.toMatchObject({ id, kind });
        await expect(look(reader, id)).rejects.toMatchObject({ details: { scope: 'community:read' } });
      }
      await expect(cancelRun(battler, id)).rejects.toMatchObject({ details: { scope: 'community:write' } });
    }
  });
});

describe('readEvents', () => {
  it('continues after any event, in pages', async () => {
    const id = await finished();
    const all = await readEvents(database.platform, id, 0);
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
    expect(all[0]).toEqual({
      eventType: 'run.queued',
      payload: { kind: 'lens', generation: 0 },
      occurredAt: new Date(all[0]!.occurredAt).toISOString(),
      runId: id,
      sequence: 1,
    });
    for (const after of [0, 1, all.length - 1, all.length, 2_147_483_647]) {
      expect(await readEvents(database.platform, id, after)).toEqual(all.slice(after));
    }
    expect(await readEvents(database.platform, id, 1, 2)).toEqual(all.slice(1, 3));
  });

  it('and readRunPositions agree on status and last sequence number of many runs', async () => {
    const run = await database.aClaimedRun();
    await finishRuns(database.platform, [aFinish(run)]);
    const { runId } = await aRun(ctx);
    const positions = await readRunPositions(database.platform, [run.id, runId, newId()]);
    expect(positions).toHaveLength(2);
    expect(positions).toEqual(
      expect.arrayContaining([
        { id: run.id, status: 'succeeded', lastSequence: 3, completedAt: expect.stringMatching(/Z$/) },
        { id: runId, status: 'queued', lastSequence: 1, completedAt: null },
      ]),
    );
    expect(await readRunPositions(database.platform, [])).toEqual([]);
  });
});
