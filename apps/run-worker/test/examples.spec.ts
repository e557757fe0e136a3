import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { assignTool } from '@lensforge/agents';
import { isRecord } from '@lensforge/contracts';
import { anAiLenser } from '@lensforge/identity/testing';
import { answerApproval, listApprovals } from '@lensforge/runs';
import { aLens } from '@lensforge/lenses/testing';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Ended, type NodeEngineSetup, aNodeEngineSetup } from './node-engine-setup.js';

const examples = fileURLToPath(new URL('../../../examples/workflows/', import.meta.url));

const received: string[] = [];
const outside = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    received.push(body);
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{"visitors":42}');
  });
});

let setup: NodeEngineSetup;
let address: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  setup = await aNodeEngineSetup();
});
afterAll(async () => {
  await setup.close();
  outside.close();
});

interface ExampleWorkflow {
  versions: { graph: object }[];
  lenses: { id: string; templateBody: string }[];
}

/** The graph of an example, with its lenses replaced by one that the offline provider echoes. */
async function example(name: string): Promise<object> {
  const file = JSON.parse(await readFile(`${examples}${name}.json`, 'utf8')) as { versions: { graph: object }[] };
  return withOurLens(file.versions.at(-1)?.graph) as object;
}

function withOurLens(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOurLens);
  if (!isRecord(value)) return value;
  if (typeof value['lensId'] === 'string' && isRecord(value['params'])) {
    const params = Object.values(value['params']);
    return { ...value, lensId: setup.lensId, params: { Prompt: params.at(-1) ?? 'x' } };
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withOurLens(each)]));
}

describe('the example workflows', () => {
  it('summarise documents in parallel and merge the summaries', async () => {
    const documents = ['one', 'two', 'three'].map((title) => ({ title, text: `The text of ${title}` }));
    const run = await setup.run(await example('summarise-documents'), { inputs: { documents } });
    expect(run).toMatchObject({ status: 'succeeded' });
    const { summaries } = run.output as { summaries: { title: string }[] };
    expect(summaries.map(({ title }) => title)).toEqual(['one', 'two', 'three']);
  });

  it('draft, judge and revise, up to three times', async () => {
    const graph = await example('draft-judge-revise');
    expect((await setup.run(graph, { inputs: { task: 'Say what is so' } })).output).toMatchObject({ rounds: 3 });
    const good = await setup.run(graph, { inputs: { task: 'GOOD' } });
    expect(good.output).toMatchObject({ rounds: 1 });
    expect(await setup.statuses(good.id)).toMatchObject({ draft2: 'skipped', judge3: 'skipped', best: 'succeeded' });
  });

  it('draft, judge and revise with the lenses of the example, in two rounds without a model', async () => {
    const file = await readFile(`${examples}draft-judge-revise.json`, 'utf8');
    const { versions, lenses } = JSON.parse(file) as ExampleWorkflow;
    let graph = JSON.stringify(versions.at(-1)?.graph);
    for (const { id, templateBody } of lenses) {
      const lens = await aLens(setup.ctx, { templateBody });
      graph = graph.replaceAll(id, lens.id);
    }
    const run = await setup.run(JSON.parse(graph) as object, { inputs: { task: 'Say what is so' } });
    expect(run.output).toMatchObject({ rounds: 2 });
  });

  it('request an approval before the call', async () => {
    const runId = await setup.accept(await example('approve-then-send'), { inputs: { news: 'Hear', url: address } });
    const approvalId = await until(async () => (await listApprovals(setup.ctx, { runId, limit: 1 })).items[0]?.id);
    expect(received).toEqual([]);
    const answering = { runId, approvalId, decision: 'approve', data: { text: 'Better' } } as const;
    await answerApproval(setup.ctx, answering);
    expect((await setup.ended(runId)).output).toBe('sent');
    expect(received).toEqual(['{"text":"Better"}']);
  });

  it('report the fetched data', async () => {
    const run = await setup.run(await example('nightly-report'), { inputs: { url: address } });
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(typeof run.output).toBe('string');
  });
});

describe('the example agents', () => {
  interface Example {
    agents: { handle: string; displayName: string; instructions: string; tools: string[] }[];
    workflow: { versions: { graph: object }[] };
    inputs: Record<string, unknown>;
  }

  async function runExample(name: string): Promise<Ended> {
    const file = new URL(`../../../examples/agents/${name}.json`, import.meta.url);
    const { agents, workflow, inputs } = JSON.parse(await readFile(file, 'utf8')) as Example;
    for (const { tools, ...traits } of agents) {
      const { id: agentId } = await anAiLenser(setup.ctx, traits);
      for (const toolId of tools) await assignTool(setup.ctx, { agentId, toolId, allowed: true });
    }
    return setup.run(workflow.versions.at(-1)?.graph as object, { inputs });
  }

  it('write a text and mend it after a review', async () => {
    expect(await runExample('writer-and-reviewer')).toMatchObject({
      status: 'succeeded',
      output: expect.stringMatching(/^Rain fell .* begin with the rain itself/),
    });
  });

  it('plan with the answers of three workers', async () => {
    const { output, id } = await runExample('planner-and-workers');
    expect(output).toBe('1. It costs 40 credits a month.\n2. The import may time out.\n3. It takes two days.');
    expect((await setup.events(id)).filter(({ eventType }) => eventType === 'agent.step')).toHaveLength(5);
  });

  it('sort a message and continue by its priority', async () => {
    const run = await runExample('triage');
    expect(run.output).toBe('page billing: A customer was charged twice.');
    expect(await setup.statuses(run.id)).toMatchObject({ page: 'succeeded', queue: 'skipped' });
  });
});
