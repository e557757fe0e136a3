// Creates the AI lensers of an example, imports its workflow, runs it, prints its outputs and archives the AI lensers:
//   node examples/agents/run.mjs examples/agents/planner-and-workers.json
// LENSFORGE_API_KEY is a token with agents:write and workflows:write.
import { readFile } from 'node:fs/promises';
import { call, ended } from '../api.mjs';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Name a file of examples/agents: node run.mjs FILE');

// The handle of an archived AI lenser stays reserved, so each run has handles of its own.
const ours = `example-${Date.now().toString(36)}-`;
const text = await readFile(file, 'utf8');
const { agents, workflow, inputs } = JSON.parse(text.replaceAll('example-', ours));
const created = [];
for (const { tools, ...agent } of agents) {
  const { id } = await call('POST', '/agents', agent);
  created.push(id);
  for (const toolId of tools) await call('POST', `/agents/${id}/tools`, { toolId });
}
const { id: workflowId } = await call('POST', '/workflows/import', workflow);
const { runId } = await call('POST', `/workflows/${workflowId}/run`, { inputs });
const run = await ended(runId);
// A person has at most five active AI lensers.
for (const id of created) await call('POST', `/agents/${id}/archive`);
console.log(JSON.stringify({ status: run.status, artifacts: run.artifacts, error: run.errorMessage }, null, 2));
process.exitCode = run.status === 'succeeded' ? 0 : 1;
