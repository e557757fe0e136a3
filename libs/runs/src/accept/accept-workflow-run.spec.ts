import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { maxRunMs, saveGraph } from '@lensforge/workflows';
import { aGraph, aWorkflow } from '@lensforge/workflows/testing';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import {
  type WorkflowRunOrder,
  acceptWorkflowRun,
  countNodeResults,
  listNodeResults,
  readWorkflowRun,
  retryRun,
  toolNodeStatus,
  toolRunStatus,
} from '../index.js';

let database: RunsDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await openRunsDatabase();
  ctx = database.ctx;
});
afterAll(() => database.close());

const graphWithInputs = {
  nodes: [],
  inputs: {
    type: 'object',
    required: ['topic'],
    additionalProperties: false,
    properties: { topic: { type: 'string' }, size: { type: 'integer', default: 3 } },
  },
};
const order = async (overrides: Partial<WorkflowRunOrder> = {}, graph?: object): Promise<WorkflowRunOrder> => ({
  workflowId: (await aWorkflow(ctx, { ...(graph && { graph }) })).id,
  inputs: {},
  ...overrides,
});
const load = async (runId: string) =>
  (await ctx.db.query<Record<string, unknown>[]>('select * from runs where id = $1', [runId]))[0];

describe('acceptWorkflowRun', () => {
  it('pins the version, applies defaults and writes a job', async () => {
    const request = await order({ inputs: { topic: 'x' }, budgetCredits: 7, cause: { kind: 'test' } }, graphWithInputs);
    const { runId, status } = await acceptWorkflowRun(ctx, request);
    const job = database.changes.takeJob(runId);
    expect([status, job?.job, job?.payload]).toEqual(['queued', 'run.execute', { runId, generation: 0 }]);
    expect(await load(runId)).toMatchObject({
      kind: 'workflow',
      workflow_id: request.workflowId,
      params: { topic: 'x', size: 3 },
      model_id: null,
      cause: { kind: 'test' },
      budget_credits: '7',
      credit_hold: '0',
      account_id: ctx.actor.accountId,
    });
    expect(await database.typesOf(runId)).toEqual(['run.queued']);
  });

  it('lists missing and invalid inputs', async () => {
    const request = await order({ inputs: { size: 'x', more: 1 } }, graphWithInputs);
    await expect(acceptWorkflowRun(ctx, request)).rejects.toMatchObject({
      code: 'UNPROCESSABLE_PARAMS',
      details: {
        missing: ['topic'],
        invalid: expect.arrayContaining([
          { path: 'more', message: 'is not known' },
          { path: 'size', message: 'must be integer' },
        ]),
      },
    });
  });

  it('needs the scope and a workflow that the caller can read', async () => {
    const request = await order();
    const weak = { ...ctx, actor: { ...ctx.actor, scopes: ['workflows:read' as const] } };
    await expect(acceptWorkflowRun(weak, request)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    await expect(acceptWorkflowRun(await database.anAccount(), request)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('refuses or answers another request under a used key, even if the workflow was deleted', async () => {
    const request = await order({ idempotencyKey: 'k', inputs: { a: 1 } });
    const { runId } = await acceptWorkflowRun(ctx, request);
    const other = { ...request, inputs: { a: 2 } };
    await expect(acceptWorkflowRun(ctx, other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await acceptWorkflowRun(ctx, { ...other, onRepeat: 'existing' })).toEqual({
      isNew: false,
      runId,
      status: 'queued',
    });
    await ctx.db.query('update workflows set deleted_at = now() where id = $1', [request.workflowId]);
    expect((await acceptWorkflowRun(ctx, request)).runId).toBe(runId);
    await expect(acceptWorkflowRun(ctx, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('starts one run for concurrent requests with one key', async () => {
    const request = await order({ idempotencyKey: 'k' });
    const runs = await Promise.all(Array.from({ length: 20 }, () => acceptWorkflowRun(ctx, request)));
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(1);
    expect(runs.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  it('stores one model for all nodes if the caller names it', async () => {
    const { runId } = await acceptWorkflowRun(ctx, await order({ modelOverride: database.pricey.key }));
    expect(await load(runId)).toMatchObject({ model_id: database.pricey.id });
    await expect(acceptWorkflowRun(ctx, await order({ modelOverride: 'none' }))).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  });

  it('can be retried with the results of finished nodes', async () => {
    const request = await order({ inputs: { topic: 'x' }, budgetCredits: 9 }, graphWithInputs);
    const { runId } = await acceptWorkflowRun(ctx, request);
    await database.set(runId, `status = 'canceled', completed_at = now()`);
    const again = await retryRun(ctx, { runId, from: 'failed_nodes' });
    const [before, after] = [await load(runId), await load(again.runId)];
    expect([again.workflowId, after?.['workflow_version_id']]).toEqual([
      request.workflowId,
      before?.['workflow_version_id'],
    ]);
    expect(after).toMatchObject({
      parent_run_id: runId,
      params: { topic: 'x', size: 3 },
      budget_credits: '9',
      cause: { keepFrom: runId },
    });
  });

  it('can be retried with another version, from a node of it', async () => {
    const request = await order({ inputs: { topic: 'x' } }, graphWithInputs);
    const { runId } = await acceptWorkflowRun(ctx, request);
    await database.set(runId, `status = 'canceled', completed_at = now()`);
    const node = { id: 'added', type: 'transform', settings: { expression: '1' } };
    await saveGraph(ctx, { workflowId: request.workflowId, graph: { ...graphWithInputs, nodes: [node], edges: [] } });
    const refused = retryRun(ctx, { runId, fromNode: 'added' });
    await expect(refused).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('added') });
    const again = await retryRun(ctx, { runId, version: '2', fromNode: 'added' });
    const [before, after] = [await load(runId), await load(again.runId)];
    expect(after?.['workflow_version_id']).not.toBe(before?.['workflow_version_id']);
    expect(after).toMatchObject({ parent_run_id: runId, cause: { keepFrom: runId, repeatNode: 'added' } });
    await expect(retryRun(ctx, { runId, version: '3' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await database.set(again.runId, `status = 'canceled', completed_at = now()`);
    const third = await retryRun(ctx, { runId: again.runId });
    expect(await load(third.runId)).toMatchObject({ cause: null });
  });
});

it('listNodeResults lists nodes by their start, and countNodeResults counts them', async () => {
  const { runId } = await acceptWorkflowRun(ctx, await order({ budgetCredits: 100 }));
  await ctx.db.query(
    `insert into node_results (run_id, node_key, node_id, type, status, output, tokens_used, cost_credits, model_calls, started_at, completed_at)
     select $1, k, k, 'lens', s, '{"text": "x"}', 10, 2, 1, now() + n * interval '1 s', now() + n * interval '1 s'
       from (values ('b', 'succeeded', 2), ('a', 'failed', 1), ('c', 'skipped', 3), ('d', 'canceled', 4)) v (k, s, n)`,
    [runId],
  );
  expect((await listNodeResults(ctx, runId)).map(({ nodeId, status }) => [nodeId, toolNodeStatus[status]])).toEqual([
    ['a', 'failed'],
    ['b', 'completed'],
    ['c', 'skipped'],
    ['d', 'cancelled'],
  ]);
  expect(await countNodeResults(ctx, runId)).toEqual({ total: 4, completed: 1, failed: 1, skipped: 1 });
  const run = await readWorkflowRun(ctx, runId);
  expect(run).toMatchObject({ modelCalls: 4, tokensUsed: 40, budgetCredits: 100, durationMs: null });
  expect(toolRunStatus[run.status]).toBe('pending');
  await expect(readWorkflowRun(await database.anAccount(), runId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('countNodeResults counts unreached nodes as open while the run executes and as skipped after its end', async () => {
  const steps = ['a', 'b', 'c'].map((id) => ({ id, type: 'transform', settings: { expression: '1' } }));
  const edges = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
  ];
  const { runId } = await acceptWorkflowRun(ctx, await order({}, { nodes: steps, edges }));
  expect(await countNodeResults(ctx, runId)).toEqual({ total: 3, completed: 0, failed: 0, skipped: 0 });
  await ctx.db.query(
    `insert into node_results (run_id, node_key, node_id, type, status, error, started_at, completed_at)
     values ($1, 'a', 'a', 'transform', 'failed', '{"code": "X", "message": "x"}', now(), now())`,
    [runId],
  );
  expect(await countNodeResults(ctx, runId)).toEqual({ total: 3, completed: 0, failed: 1, skipped: 0 });
  await database.set(runId, `status = 'canceled', completed_at = now()`);
  expect(await countNodeResults(ctx, runId)).toEqual({ total: 3, completed: 0, failed: 1, skipped: 2 });
});

it('longestRunMs adds the waits of nodes to the time limit', () => {
  const graph = aGraph({
    nodes: [
      { id: 'a', type: 'approval', settings: { message: 'x', expiresInSeconds: 60 } },
      { id: 'b', type: 'delay', settings: { seconds: 30 } },
      { id: 'c', type: 'transform', settings: { expression: '1' } },
    ],
  });
  expect(maxRunMs(graph, 1000)).toBe(91_000);
  expect(maxRunMs(aGraph({ nodes: [] }), 1000)).toBe(1000);
});
