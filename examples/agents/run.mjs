// Creates the AI lensers of an example, imports its workflow, runs it and prints its outputs:
//   node examples/agents/run.mjs examples/agents/planner-and-workers.json
// LENSFORGE_API_URL is the address of the API, LENSFORGE_API_KEY a token with agents:write and workflows:write.
import { readFile } from 'node:fs/promises';

const { LENSFORGE_API_URL: base, LENSFORGE_API_KEY: key } = process.env;
const [file] = process.argv.slice(2);
if (!base || !key || !file) {
  console.error('Set LENSFORGE_API_URL and LENSFORGE_API_KEY, and name a file of examples/agents.');
  process.exit(1);
}

async function call(method, path, body) {
  const response = await fetch(`${base}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, error } = await response.json();
  if (error) throw new Error(`${method} ${path}: ${error.message}`);
  return data;
}

const { agents, workflow, inputs } = JSON.parse(await readFile(file, 'utf8'));
for (const { tools, ...agent } of agents) {
  const { items } = await call('GET', `/agents?q=${agent.handle}`);
  const known = items.find(({ handle }) => handle === agent.handle);
  const { id } = known ?? (await call('POST', '/agents', agent));
  for (const toolId of tools) await call('POST', `/agents/${id}/tools`, { toolId });
}
const { id: workflowId } = await call('POST', '/workflows/import', workflow);
const { runId } = await call('POST', `/workflows/${workflowId}/run`, { inputs });
for (;;) {
  const run = await call('GET', `/runs/${runId}`);
  if (!['queued', 'running'].includes(run.status)) {
    console.log(JSON.stringify({ status: run.status, artifacts: run.artifacts, error: run.errorMessage }, null, 2));
    process.exitCode = run.status === 'succeeded' ? 0 : 1;
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
}
