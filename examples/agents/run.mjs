// Creates the AI lensers of an example, imports its workflow, runs it and prints its outputs:
//   node examples/agents/run.mjs examples/agents/planner-and-workers.json
// LENSFORGE_API_KEY is a token with agents:write and workflows:write.
import { readFile } from 'node:fs/promises';
import { call, ended } from '../api.mjs';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Name a file of examples/agents: node run.mjs FILE');

const { agents, workflow, inputs } = JSON.parse(await readFile(file, 'utf8'));
for (const { tools, ...agent } of agents) {
  const found = await call('GET', `/agents?q=${agent.handle}`);
  const known = found.find(({ handle }) => handle === agent.handle);
  const { id } = known ?? (await call('POST', '/agents', agent));
  for (const toolId of tools) await call('POST', `/agents/${id}/tools`, { toolId });
}
const { id: workflowId } = await call('POST', '/workflows/import', workflow);
const { runId } = await call('POST', `/workflows/${workflowId}/run`, { inputs });
const run = await ended(runId);
console.log(JSON.stringify({ status: run.status, artifacts: run.artifacts, error: run.errorMessage }, null, 2));
process.exitCode = run.status === 'succeeded' ? 0 : 1;
