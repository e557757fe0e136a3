import { createClient, type Client } from '@lensforge/sdk';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestPlatform } from './test-platform.js';

let setup: TestPlatform;
let client: Client;

beforeAll(async () => {
  setup = await TestPlatform.open({ allInOne: true });
  client = createClient({ baseUrl: setup.platform.urlOf('api-gateway'), apiKey: setup.token });
});
afterAll(() => setup.close());

interface Result {
  resultType: string;
  taskId?: string;
  status?: string;
  inputRequests?: Record<string, { params: { message: string } }>;
  result?: { content: { text: string }[]; structuredContent: object; isError?: boolean };
}

const version = '2026-07-28';

/** A request of a client with tasks and forms. */
async function rpc(method: string, params: Record<string, unknown>): Promise<Result> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {
      extensions: { 'io.modelcontextprotocol/tasks': {} },
      elicitation: {},
    },
  };
  const answer = await fetch(`${setup.platform.urlOf('mcp-gateway')}/mcp?toolset=workflows,extra`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${setup.platform.tokens['mcp'] ?? ''}`,
      'content-type': 'application/json',
      'mcp-protocol-version': version,
      'mcp-method': method,
      'mcp-name': String(params['name'] ?? params['taskId']),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  const { result, error } = (await answer.json()) as { result?: Result; error?: object };
  if (!result) throw new Error(JSON.stringify(error));
  return result;
}

const start = async (name: string, args: object): Promise<string> => {
  const { resultType, taskId = '' } = await rpc('tools/call', { name, arguments: args });
  expect(resultType).toBe('task');
  return taskId;
};

async function reach(taskId: string, status: string): Promise<Result> {
  let task: Result | undefined;
  const asked = async (): Promise<boolean> => {
    // The server may be starting again.
    task = await rpc('tasks/get', { taskId }).catch(() => undefined);
    return task?.status === status;
  };
  await until(asked, { what: `the task is ${status}` });
  return task as Result;
}

async function accept(taskId: string, content: object): Promise<void> {
  const { inputRequests = {} } = await reach(taskId, 'input_required');
  const [key = ''] = Object.keys(inputRequests);
  await rpc('tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content } } });
}

it('a workflow is a task that its approval and a killed server do not end', async () => {
  const { id } = await client.workflows.create({
    title: 'Ask first',
    graph: {
      nodes: [
        { id: 'ask', type: 'approval', settings: { message: 'Publish it?' } },
        { id: 'say', type: 'transform', settings: { expression: "'published'" } },
      ],
      edges: [{ from: 'ask', to: 'say' }],
    },
  });
  const taskId = await start('run_workflow', { workflow_id: id, inputs: {} });
  const { inputRequests } = await reach(taskId, 'input_required');
  setup.platform.kill('all-in-one', 0, 'SIGKILL');
  expect((await reach(taskId, 'input_required')).inputRequests).toEqual(inputRequests);
  await accept(taskId, { approve: true, comment: 'Go' });
  const { result } = await reach(taskId, 'completed');
  expect(result?.structuredContent).toMatchObject({ id: taskId, status: 'completed', workflow_id: id });
  expect(result?.content[1]?.text).toContain('published');
});

it('a lens with tools of its client is a task that asks for their results', async () => {
  const script = [{ calls: [{ name: 'add', input: { a: 2, b: 3 } }] }, { say: 'The sum is {{1}}' }];
  const { id } = await client.lenses.create({
    title: 'Sums',
    templateBody: `@offline ${JSON.stringify({ script })}\nCompute [[Task!]], and tell the sum in a few words.`,
    settings: { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
  });
  const taskId = await start('execute_lens', { lens_id: id });
  await accept(taskId, { output: '5' });
  const { result } = await reach(taskId, 'completed');
  expect(result?.structuredContent).toMatchObject({ run_id: taskId, status: 'succeeded', output: 'The sum is 5' });
});

it('a task that is canceled ends its run', async () => {
  const { id } = await client.workflows.create({
    title: 'Wait',
    graph: { nodes: [{ id: 'ask', type: 'approval', settings: { message: 'Go on?' } }], edges: [] },
  });
  const taskId = await start('run_workflow', { workflow_id: id, inputs: {} });
  await reach(taskId, 'input_required');
  await rpc('tasks/cancel', { taskId });
  await reach(taskId, 'cancelled');
  expect(await setup.statusOf(taskId)).toBe('canceled');
});
