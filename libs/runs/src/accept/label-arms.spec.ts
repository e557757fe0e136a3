import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { setLensLabel, updateLens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { saveGraph, setWorkflowLabel, updateWorkflow } from '@lensforge/workflows';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { type LensRunOrder, acceptLensRuns, acceptWorkflowRun, endRun, readRun, retryRun } from '../index.js';
import { aRun } from '../testing.js';

let database: RunsDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await openRunsDatabase();
  ({ ctx } = database);
});
afterAll(async () => {
  expect(await database.faults()).toEqual([]);
  await database.close();
});

const label = 'production';

/** A lens whose production gives half of the callers 1.0.1. */
async function aSplitLens(): Promise<string> {
  const { id: lensId } = await aLens(ctx, { templateBody: 'Greet [[Name]] once, for tests of arms' });
  await updateLens(ctx, { lensId, templateBody: 'Greet [[Name]] twice, and warmly, for tests of arms' });
  await split(lensId, 50);
  return lensId;
}
const split = (lensId: string, weight: number) =>
  setLensLabel(ctx, { lensId, label, version: '1.0.0', arms: weight > 0 ? [{ version: '1.0.1', weight }] : null });

const release = async (runId: string) => {
  const { label, arm } = await readRun(ctx, runId);
  return { label, arm };
};
const run = async (lensId: string, more: Partial<LensRunOrder> = { version: label }): Promise<string> =>
  (await aRun(ctx, { lensId, ...more })).runId;

/** A sticky key that gets an arm. */
async function keyFor(lensId: string, arm: string): Promise<string> {
  for (let at = 0; at < 50; at += 1) {
    if ((await release(await run(lensId, { version: label, stickyKey: `user ${at}` }))).arm === arm)
      return `user ${at}`;
  }
  throw new Error(`no key of 50 gets ${arm}`);
}
const cancel = (runId: string) =>
  endRun(database.platform, { runId, from: 'queued', status: 'canceled', reason: 'test' });

describe('runs of a label with arms', () => {
  it('say the label, the arm and the version, and stay with their sticky key', async () => {
    const lensId = await aSplitLens();
    for (const arm of ['1.0.0', '1.0.1']) {
      const stickyKey = await keyFor(lensId, arm);
      for (let again = 0; again < 3; again += 1) {
        expect(await release(await run(lensId, { version: label, stickyKey }))).toEqual({ label, arm });
      }
    }
  });

  it('of one account without a key all get the same arm, also by the default label and in batches', async () => {
    const lensId = await aSplitLens();
    await updateLens(ctx, { lensId, defaultLabel: label });
    const { outcomes } = await acceptLensRuns(ctx, {
      lensId,
      items: Array.from({ length: 5 }, () => ({ params: { Name: 'Ada' } })),
      timeoutMs: 60_000,
    });
    const ids = outcomes.map((outcome) => (outcome instanceof Error ? '' : outcome.runId));
    const named = await release(await run(lensId));
    expect(named.label).toBe(label);
    for (const id of [...ids, await run(lensId, {})]) expect(await release(id)).toEqual(named);
  });

  it('say no arm when all callers get one version, and no label when a version was named', async () => {
    const lensId = await aSplitLens();
    await split(lensId, 0);
    expect(await release(await run(lensId))).toEqual({ label, arm: null });
    expect(await release(await run(lensId, { version: '1.0.1' }))).toEqual({ label: null, arm: null });
  });

  it('keep their arm under their idempotency key and in retries after the label moved', async () => {
    const lensId = await aSplitLens();
    const stickyKey = await keyFor(lensId, '1.0.1');
    const order = { version: label, stickyKey, idempotencyKey: 'once' };
    const runId = await run(lensId, order);
    await split(lensId, 0);
    expect(await run(lensId, order)).toBe(runId);
    await cancel(runId);
    const again = await retryRun(ctx, { runId });
    expect(await release(again.runId)).toEqual({ label, arm: '1.0.1' });
    const [first, second] = [await readRun(ctx, runId), await readRun(ctx, again.runId)];
    expect(second.lensVersionId).toBe(first.lensVersionId);
    expect(await release(await run(lensId, { version: label, stickyKey }))).toEqual({ label, arm: null });
  });

  it('that are lost before their commit leave nothing, and their repeat gets the same arm', async () => {
    const lensId = await aSplitLens();
    for (const arm of ['1.0.0', '1.0.1']) {
      const order = { lensId, version: label, stickyKey: await keyFor(lensId, arm), idempotencyKey: `lost ${arm}` };
      let lost = '';
      const killed = inTransaction(ctx, async (ctx) => {
        lost = (await aRun(ctx, order)).runId;
        // The process that accepts the run ends, and its connection with it.
        await ctx.db.query('select pg_terminate_backend(pg_backend_pid())');
      });
      await expect(killed).rejects.toThrow();
      await expect(readRun(ctx, lost)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await release(await run(lensId, order))).toEqual({ label, arm });
    }
  });

  it('of workflows are split in the same way', async () => {
    const { id: workflowId } = await aWorkflow(ctx);
    const nodes = [{ id: 'a', type: 'transform', settings: { expression: '"ok"' } }];
    await saveGraph(ctx, { workflowId, graph: { nodes, edges: [] } });
    await setWorkflowLabel(ctx, { workflowId, label, version: '1', arms: [{ version: '2', weight: 50 }] });
    await updateWorkflow(ctx, { workflowId, defaultLabel: label });
    const arms = new Map<string, Set<string | null | undefined>>();
    for (let at = 0; at < 40; at += 1) {
      const stickyKey = `user ${at % 20}`;
      const { runId } = await acceptWorkflowRun(ctx, { workflowId, inputs: {}, stickyKey });
      const { arm } = await release(runId);
      arms.set(stickyKey, (arms.get(stickyKey) ?? new Set()).add(arm));
    }
    expect([...arms.values()].every((ofKey) => ofKey.size === 1)).toBe(true);
    expect(new Set([...arms.values()].flatMap((ofKey) => [...ofKey]))).toEqual(new Set(['1', '2']));
  });
});
