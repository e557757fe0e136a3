import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Graph } from '@lensforge/workflows';
import { aGraph, differences, interpret, randomGraph, seededRandom } from '@lensforge/workflows/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NodeEngineSetup, aNodeEngineSetup } from './node-engine-setup.js';

/** The server answers `/flaky?fails=2` with 200 from the third call of the same work on, and `/bad` with 400. */
const calls = new Map<string, number>();
const outside = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://x');
  const work = String(request.headers['idempotency-key']);
  const count = (calls.get(work) ?? 0) + 1;
  calls.set(work, count);
  const status = url.pathname === '/bad' ? 400 : count <= Number(url.searchParams.get('fails')) ? 503 : 200;
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end('{"n":7}');
});

let setup: NodeEngineSetup;
let address: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  setup = await aNodeEngineSetup({ random: () => 0 });
  setup.engines.push(setup.anEngine({ worker: 'second', concurrency: 3 }));
});
afterAll(async () => {
  await setup.close();
  outside.close();
});

const answerOf: Parameters<typeof interpret>[2] = (node) =>
  node.type === 'http' && String(node.settings.url).endsWith('/bad') ? 'fails' : { output: { body: { n: 7 } } };

async function compare(seed: number, maxNodes: number, fatalShare: number): Promise<void> {
  const graph: Graph = aGraph(randomGraph({ random: seededRandom(seed), maxNodes, address, fatalShare }));
  const reference = interpret(graph, {}, answerOf);
  const run = await setup.run(graph);
  const outputs = run.artifacts.find(({ artifactKind }) => artifactKind === 'json')?.contentJson;
  const nodes = await setup.statuses(run.id);
  // The output of an http node contains headers that the reference does not know.
  const plain = { ...reference, outputs: usesHttp(graph) ? undefined : reference.outputs };
  const faults = differences(plain, { status: run.status, outputs, nodes });
  const errors = faults.length > 0 ? await errorsIn(run.id) : [];
  expect({ seed, faults, errors }).toEqual({ seed, faults: [], errors: [] });
  await setup.events(run.id);
}

/** The errors of failed nodes, for the message of a failed test. */
const errorsIn = async (runId: string): Promise<string[]> =>
  Object.values(await setup.nodes(runId)).flatMap(({ key, error }) => (error ? [`${key}: ${error.message}`] : []));

const usesHttp = (graph: Graph): boolean => graph.nodes.some(({ type }) => type === 'http');

describe('random graphs', () => {
  it('end as the reference interpreter says, on two workers', async () => {
    for (let batch = 0; batch < 5; batch += 1) {
      await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          compare(1000 + batch * 5 + index, index === 0 ? 120 : 20, index === 4 ? 0.2 : 0),
        ),
      );
    }
  });
});
