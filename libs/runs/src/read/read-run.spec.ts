import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlatformRunStatus, fieldsOf, parse } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import type { RunsDatabase } from '../../test/runs-database.js';
import { openRunsDatabase } from '../../test/runs-database.js';
import {
  cancelRun,
  finishRuns,
  finishWithSettlement,
  readEvents,
  readRun,
  readableRun,
  reconcileRuns,
  readRunPositions,
} from '../index.js';
import { aRun } from '../testing.js';

let books: RunsDatabase;
let ctx: Context;

beforeAll(async () => {
  books = await openRunsDatabase();
  ctx = books.ctx;
});
afterAll(() => books.close());

/** The answer as it goes over the wire; throws when it is not what the contract says. */
async function read(runId: string, who = ctx): Promise<PlatformRunStatus> {
  const status = await readRun(who, runId);
  const sent = JSON.parse(JSON.stringify(status)) as object;
  expect(Object.keys(sent).sort()).toEqual([...fieldsOf(PlatformRunStatus).keys()].sort());
  return parse(PlatformRunStatus, sent);
}

async function finished(more: object = {}): Promise<string> {
  const run = await books.aClaimedRun(ctx, { credits: true });
  const artifact = (isPrimaryOutput: boolean, contentJson: unknown = null) => ({
    ...{
      id: newId(),
      kind: 'json' as const,
      contentText: isPrimaryOutput ? 'Hello' : null,
      contentJson,
      isPrimaryOutput,
    },
  });
  await finishWithSettlement(books.platform, {
    ...{
      runId: run.id,
      accountId: run.accountId,
      workflowId: null,
      attempt: 1,
      hold: run.hold,
      cost: 7,
      failure: null,
    },
    ...{ events: [], artifacts: [artifact(false, [1, { a: null }]), artifact(true)], tokenInput: 3, tokenOutput: 5 },
    ...more,
  });
  return run.id;
}

describe('reading a run', () => {
  it('that waits shows no more than there is', async () => {
    const { runId } = await aRun(ctx);
    expect(await read(runId)).toEqual({
      id: runId,
      requestId: ctx.requestId,
      kind: 'lens',
      origin: 'caller',
      lensId: expect.any(String),
      lensVersionId: expect.any(String),
      workflowId: null,
      status: 'queued',
      modelId: expect.any(String),
      modelKey: 'echo',
      providerKey: 'offline',
      startedAt: null,
      completedAt: null,
      latencyMs: null,
      tokenInput: null,
      tokenOutput: null,
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

  it('that succeeded shows its artifacts, the primary one first, and what it cost', async () => {
    const run = await read(await finished());
    expect(run).toMatchObject({
      status: 'succeeded',
      modelKey: books.pricey.key,
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

  it('that runs, failed, was canceled or timed out is of the same shape', async () => {
    const running = await books.aClaimedRun();
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
    await books.set(late, 'deadline_at = now()');
    await reconcileRuns(books.platform, { maxLost: 5, cancelGraceMs: 1000, limit: 10 });
    expect(await read(late)).toMatchObject({ status: 'timed_out', errorCode: 'RUN_TIMED_OUT', startedAt: null });
  });

  it("is for one's own runs, with the scope of what they run", async () => {
    const { runId } = await aRun(ctx);
    const stranger = await books.anAccount();
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
      await expect(look(books.platform, runId)).resolves.toMatchObject({ id: runId });
      const weak = { ...ctx, actor: { ...ctx.actor, scopes: ['workflows:read' as const] } };
      await expect(look(weak, runId)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    }
    const { runId: workflowRun } = await aRun(ctx);
    await books.set(workflowRun, `kind = 'workflow'`);
    const reader = { ...ctx, actor: { ...ctx.actor, scopes: ['lenses:read' as const] } };
    for (const look of [readRun, readableRun]) {
      await expect(look(reader, workflowRun)).rejects.toMatchObject({ details: { scope: 'workflows:read' } });
    }
  });
});

describe('reading events', () => {
  it('goes on after any of them, in pages', async () => {
    const id = await finished();
    const all = await readEvents(books.platform, id, 0);
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
    expect(all[0]).toEqual({
      eventType: 'run.queued',
      payload: { kind: 'lens', generation: 0 },
      occurredAt: new Date(all[0]!.occurredAt).toISOString(),
      runId: id,
      sequence: 1,
    });
    for (const after of [0, 1, all.length - 1, all.length, 2_147_483_647]) {
      expect(await readEvents(books.platform, id, after)).toEqual(all.slice(after));
    }
    expect(await readEvents(books.platform, id, 1, 2)).toEqual(all.slice(1, 3));
  });

  it('needs one question to see how far many runs have come', async () => {
    const run = await books.aClaimedRun();
    await finishRuns(books.platform, [
      {
        ...{ runId: run.id, accountId: run.accountId, workflowId: null, attempt: 1, events: [], artifacts: [] },
        ...{ tokenInput: null, tokenOutput: null, hold: 0, cost: 0, failure: null },
      },
    ]);
    const { runId } = await aRun(ctx);
    const places = await readRunPositions(books.platform, [run.id, runId, newId()]);
    expect(places).toHaveLength(2);
    expect(places).toEqual(
      expect.arrayContaining([
        { id: run.id, status: 'succeeded', lastSequence: 3, completedAt: expect.stringMatching(/Z$/) },
        { id: runId, status: 'queued', lastSequence: 1, completedAt: null },
      ]),
    );
    expect(await readRunPositions(books.platform, [])).toEqual([]);
  });
});
