import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  approveTeamRun,
  assignTool,
  listAgentEvents,
  readTeamRun,
  runAgentAction,
  startTeamRun,
} from '@lensforge/agents';
import { platformActor } from '@lensforge/core';
import { anAiLenser } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { until } from '@lensforge/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type WorkerSetup, aWorkerSetup } from './worker-setup.js';

let setup: WorkerSetup;
beforeAll(async () => {
  setup = await aWorkerSetup();
  await setup.start();
});
afterAll(() => setup.close());

it('a run-worker executes the runs of an AI lenser, manual ones once approved, and records their ends once', async () => {
  const { ctx } = setup;
  const { id: agentId } = await anAiLenser(ctx, { policy: { actions: { run_lens: 'allow' } } });
  await assignTool(ctx, { agentId, toolId: 'run_lens', allowed: true });
  const graph = { nodes: [{ id: 'a', type: 'transform', settings: { expression: '1' } }] };
  const { id: workflowId } = await aWorkflow(ctx, { graph });
  const platform = { ...ctx, actor: platformActor };
  const start = (policy: 'auto' | 'manual') => startTeamRun(platform, { agentId, workflowId, inputs: {}, policy });
  const [auto, manual] = [await start('auto'), await start('manual')];
  const metadata = { lens_id: (await aLens(ctx)).id, param_values: { name: 'Ada' } };
  expect(await runAgentAction(ctx, { agentId, action: 'run_lens', metadata })).toMatchObject({ result: 'success' });
  const ended = async () => (await listAgentEvents(ctx, { agentId, eventType: 'run.ended', limit: 10 })).items;
  await until(async () => (await ended()).length === 2);
  expect(await readTeamRun(ctx, { agentId, runId: auto.id })).toMatchObject({ status: 'completed' });
  expect(await readTeamRun(ctx, { agentId, runId: manual.id })).toMatchObject({ status: 'blocked', startedAt: null });
  await approveTeamRun(ctx, { agentId, runId: manual.id });
  await until(async () => (await ended()).length === 3);
  expect((await ended()).map(({ payload }) => payload)).toEqual(Array(3).fill({ status: 'completed' }));
  const { items } = await listAgentEvents(ctx, { agentId, limit: 100 });
  expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, index) => index + 1));
});
