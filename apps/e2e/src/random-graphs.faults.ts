import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@lensforge/testing';
import type { Graph } from '@lensforge/workflows';
import { aGraph, differences, interpret, randomGraph, seededRandom } from '@lensforge/workflows/testing';
import { nothingFound } from './audit.js';
import { Outside } from './outside.js';
import { TestPlatform } from './test-platform.js';

/*
 * Workflows under fire: workers are killed while nodes of random graphs run on them. What each graph has to come to is
 * what an interpreter of the rules comes to, one node after the other and with nobody killed.
 *
 * LENSFORGE_FAULTS_GRAPHS is the number of graphs (300), LENSFORGE_FAULTS_SEED the first of them (0): the same number is
 * always the same graph, so that one that has failed can be looked at alone, or all be gone through in parts.
 */

const graphs = Number(process.env['LENSFORGE_FAULTS_GRAPHS'] ?? 300);
const firstSeed = Number(process.env['LENSFORGE_FAULTS_SEED'] ?? 0);
const atOnce = 12;
const workers = 3;

/** Answers `/flaky?fails=2` from the third call of the same work on, and `/bad` never. */
const outside: Outside = new Outside(({ work, path }) => {
  const { pathname, searchParams } = new URL(path, 'http://x');
  if (pathname === '/bad') return 400;
  return outside.timesOf(work) <= Number(searchParams.get('fails') ?? 0) ? 503 : 200;
});

let stage: TestPlatform;

beforeAll(async () => {
  await outside.open();
  stage = await TestPlatform.open({
    replicas: { 'run-worker': workers },
    environment: { LENSFORGE_HTTP_NODES_ALLOW_PRIVATE: 'true' },
  });
}, 120_000);
afterAll(async () => {
  await stage.close();
  outside.close();
}, 60_000);

const anyOf = (count: number): number => Math.floor(Math.random() * count);

async function start(graph: Graph | object): Promise<string> {
  const made = await stage.call('POST', '/v1/workflows', { body: { title: 'Under fire', graph } });
  const workflowId = String(made.body.data?.['id']);
  const run = await stage.call('POST', `/v1/workflows/${workflowId}/run`, { body: { inputs: {} } });
  if (run.status !== 202) throw new Error(`not accepted: ${JSON.stringify([made.body.error, run.body.error])}`);
  return String(run.body.data?.['runId']);
}

async function ended(runId: string): Promise<{ status: string; outputs: unknown; nodes: Record<string, string> }> {
  const status = await until(
    async () => {
      const [run] = await stage.db.query<{ status: string }[]>(
        'select status from runs where id = $1 and completed_at is not null',
        [runId],
      );
      return run?.status;
    },
    { within: 120_000, what: () => `the end of run ${runId}` },
  );
  const nodes = await stage.db.query<{ key: string; status: string }[]>(
    'select node_key as key, status from node_results where run_id = $1',
    [runId],
  );
  const [outputs] = await stage.db.query<{ json: unknown }[]>(
    `select content_json as json from run_artifacts where run_id = $1 and kind = 'json'`,
    [runId],
  );
  return { status, outputs: outputs?.json, nodes: Object.fromEntries(nodes.map((row) => [row.key, row.status])) };
}

const answerOf: Parameters<typeof interpret>[2] = (node) =>
  node.type === 'http' && String(node.settings.url).endsWith('/bad') ? 'fails' : { output: { body: { n: 7 } } };

describe('workflows under fire', () => {
  it(`come to what the rules say: ${graphs} random graphs, while workers are killed at random`, async () => {
    let over = false;
    let kills = 0;
    const killing = (async () => {
      while (!over) {
        await pause(500 + anyOf(1500));
        const worker = anyOf(workers);
        await until(() => stage.pidOf('run-worker', worker), { within: 60_000 });
        stage.platform.kill('run-worker', worker, 'SIGKILL');
        kills += 1;
      }
    })();
    const faults: string[] = [];
    let next = firstSeed;
    const one = async (): Promise<void> => {
      for (let seed = next; seed < firstSeed + graphs; seed = next) {
        next += 1;
        const maxNodes = seed % 20 === 0 ? 200 : 40;
        const fatalShare = seed % 5 === 4 ? 0.2 : 0;
        const graph = aGraph(
          randomGraph({ random: seededRandom(seed + 1), maxNodes, address: outside.address, fatalShare }),
        );
        const { outputs, ...reference } = interpret(graph, {}, answerOf);
        // What an http node answers holds headers of its own.
        const comparable = graph.nodes.some(({ type }) => type === 'http') ? undefined : outputs;
        const found = differences({ ...reference, outputs: comparable }, await ended(await start(graph)));
        faults.push(...found.map((fault) => `graph ${seed}: ${fault}`));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    over = true;
    await killing;
    expect(faults).toEqual([]);
    await stage.allEnded();
    const [found] = await stage.db.query<{ nodes: number; lost: number }[]>(
      'select count(*)::int as nodes, count(*) filter (where lost_attempts > 0)::int as lost from node_results',
    );
    const figures = { graphs, 'from number': firstSeed, ...found, 'workers killed': kills };
    process.stdout.write(`random graphs: ${JSON.stringify(figures)}\n`);
    expect(kills).toBeGreaterThan(0);
    expect(await stage.findings()).toEqual(nothingFound);
  }, 1_500_000);
});
