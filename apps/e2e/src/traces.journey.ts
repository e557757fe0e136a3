import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { importModels } from '@lensforge/models';
import { type Client, createClient } from '@lensforge/sdk';
import { until } from '@lensforge/testing';
import { TestPlatform } from './test-platform.js';

// The spans of a workflow with an agent that runs a lens, as a collector gets them, against the required attributes of the conventions.

interface Value {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: Value[] };
}
interface Attribute {
  key: string;
  value: Value;
}
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  events?: { name: string; attributes: Attribute[] }[];
}

/** The attributes that the conventions require of a span or event. */
const required: Readonly<Record<string, readonly string[]>> = {
  chat: ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model', 'gen_ai.request.stream'],
  invoke_agent: ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.agent.name', 'gen_ai.agent.id'],
  execute_tool: ['gen_ai.operation.name', 'gen_ai.tool.name', 'gen_ai.tool.call.id', 'gen_ai.tool.type'],
  invoke_workflow: ['gen_ai.operation.name', 'gen_ai.workflow.name'],
};

let collector: Server;
let setup: TestPlatform;
let client: Client;
const spans: OtlpSpan[] = [];

beforeAll(async () => {
  collector = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  setup = await TestPlatform.open({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '200' },
  });
  client = createClient({ baseUrl: setup.platform.urlOf('api-gateway'), apiKey: setup.token });
});
afterAll(async () => {
  await setup.close();
  collector.close();
});

const attributesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const named = (operation: string): OtlpSpan[] =>
  spans.filter((span) => attributesOf(span.attributes)['gen_ai.operation.name'] === operation);

it('traces a workflow with its agent, the tool that it calls and the models, without texts', async () => {
  const handle = 'traced-critic';
  const script = [
    { calls: [{ name: 'run_lens', input: { lens_id: setup.lensId, params: { Name: 'Hidden' } } }] },
    { say: 'Done: secret answer' },
  ];
  const prices = { creditsPer1kInput: 1, creditsPer1kOutput: 1, maxOutputTokens: 100 };
  await importModels(setup.ctx, [{ provider: 'offline', key: 'team', ...prices, capabilities: ['tools'] }]);
  const agent = await client.agents.create({
    handle,
    displayName: 'Critic',
    aiModelKey: 'offline/team',
    instructions: `@offline ${JSON.stringify({ script })}`,
    policy: { actions: { run_lens: 'allow' } },
  });
  await client.agents.assignTool(agent.id, { toolId: 'run_lens' });
  const prompt = 'Lead the secret team.';
  const graph = { nodes: [{ id: 'work', type: 'agent' as const, settings: { agent: handle, prompt } }], edges: [] };
  const workflow = await client.workflows.create({ title: 'Secret title', graph });
  const { runId } = await client.workflows.run(workflow.id, { inputs: {} });
  expect((await client.runs.wait(runId)).status).toBe('succeeded');
  const lensRun = await client.lenses.execute(setup.lensId, { params: { Name: 'Ada' } });
  await client.runs.wait(lensRun.runId);
  await client.runs.setScore(lensRun.runId, { name: 'helpful', score: 0.5 });
  const evaluated = (): OtlpSpan[] =>
    spans.filter(({ events }) => events?.some(({ name }) => name === 'gen_ai.evaluation.result'));
  await until(
    () =>
      named('invoke_workflow').length > 0 &&
      evaluated().length > 0 &&
      named('chat').length >= 3 &&
      named('invoke_agent').length > 0,
    { what: 'all spans' },
  );

  for (const [operation, names] of Object.entries(required)) {
    expect([operation, named(operation).length > 0]).toEqual([operation, true]);
    for (const span of named(operation))
      expect(Object.keys(attributesOf(span.attributes))).toEqual(expect.arrayContaining([...names]));
  }
  const [whole] = named('invoke_workflow') as [OtlpSpan];
  expect(whole.name).toBe(`invoke_workflow workflow:${workflow.id}`);
  expect(Number(whole.endTimeUnixNano)).toBeGreaterThan(Number(whole.startTimeUnixNano));
  const [working] = named('invoke_agent') as [OtlpSpan];
  const [calling] = named('execute_tool') as [OtlpSpan];
  expect([working.name, calling.name]).toEqual([`invoke_agent ${handle}`, 'execute_tool run_lens']);
  expect(calling.parentSpanId).toBe(working.spanId);
  expect(new Set([whole.traceId, working.traceId, calling.traceId]).size).toBe(1);
  const ofLens = named('chat')
    .map(({ attributes }) => attributesOf(attributes))
    .find((each) => each['gen_ai.prompt.name'] !== undefined);
  expect(ofLens).toMatchObject({ 'gen_ai.prompt.name': `lens:${setup.lensId}`, 'lensforge.prompt.version': '1.0.0' });
  const [result] = evaluated()[0]?.events ?? [];
  expect(attributesOf(result?.attributes ?? [])).toMatchObject({
    'gen_ai.evaluation.name': 'helpful',
    'gen_ai.evaluation.score.value': 0.5,
    'gen_ai.response.id': lensRun.runId,
  });
  for (const text of ['secret', 'Secret', 'Hidden', 'Ada']) expect(JSON.stringify(spans)).not.toContain(text);
});
