import { randomUUID } from 'node:crypto';
import { alternate, rowOf } from '../report/rounds.js';
import { callApi } from '../setup/call-api.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import { aWorkflow, runs } from './nodes.js';
import type { Measure } from './part.js';

const steps = 10;
const atOnce = 10;
const passes = 10;

const nodes = Array.from({ length: steps }, (_, n) => ({
  id: `n${n}`,
  type: 'transform',
  settings: { expression: '1' },
}));
const chain = { nodes, edges: nodes.slice(1).map(({ id }, n) => ({ from: `n${n}`, to: id })) };

/** Steps of agents on the offline provider, each with a stored answer and a tool call, against nodes that do nothing. */
export const measureAgents: Measure = async (setup, { rounds }) => {
  const ids = { ours: await aWorkflow(setup, await agentGraph(setup)), baseline: await aWorkflow(setup, chain) };
  const found = await alternate(rounds, async (side) => {
    const once = () => runs(setup, ids[side], atOnce, {});
    await once();
    const { outcome, cores } = await watched(setup, async () => {
      const since = performance.now();
      for (let pass = 0; pass < passes; pass += 1) await once();
      return (performance.now() - since) / 1000;
    });
    return { steps: finding((steps * atOnce * passes) / outcome, cores) };
  });
  const group = 'Steps of agents a second, each but the last with a call of get_lens (baseline: nodes that do nothing)';
  const target = { of: 'ratio', least: 0.5 } as const;
  return [rowOf({ group, name: `${atOnce} agents of ${steps} steps at once`, unit: '/s', target }, found, 'steps')];
};

/** A workflow of one agent, which reads a lens in each step but the last. */
async function agentGraph({ platform }: BenchPlatform): Promise<object> {
  const lens = await callApi<{ id: string }>(platform, 'POST', '/v1/lenses', {
    title: 'Notes',
    templateBody: 'Summarise the notes of a meeting in three short sentences.',
  });
  const look = { calls: [{ name: 'get_lens', input: { lens_id: lens.id } }] };
  const script = [...Array.from({ length: steps - 1 }, () => look), { say: 'Done.' }];
  const handle = `bench-${randomUUID()}`;
  const agent = { handle, displayName: 'Bench', instructions: `@offline ${JSON.stringify({ script })}` };
  const { id } = await callApi<{ id: string }>(platform, 'POST', '/v1/agents', agent);
  await callApi(platform, 'POST', `/v1/agents/${id}/tools`, { toolId: 'get_lens' });
  const settings = { agent: handle, prompt: 'Read the notes.', maxSteps: steps };
  return { nodes: [{ id: 'work', type: 'agent', settings }], edges: [] };
}
