import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@lensforge/testing';
import type { Graph } from '@lensforge/workflows';
import { aGraph, differences, interpret, randomGraph, seededRandom } from '@lensforge/workflows/testing';
import { nothingFound } from './audit.js';
import { HttpTarget } from './http-target.js';
import { TestPlatform } from './test-platform.js';

/*
 * Workers are killed while they run nodes of random graphs. Each run must have the result of a reference interpreter,
 * which runs one node after the other.
 *
 * LENSFORGE_FAULTS_GRAPHS is the number of graphs (300), LENSFORGE_FAULTS_SEED the first seed (0). A seed always gives
 * the same graph, so that a failed one can be repeated alone, or all be run in parts.
 */

const graphs = Number(process.env['LENSFORGE_FAULTS_GRAPHS'] ?? 300);
const firstSeed = Number(process.env['LENSFORGE_FAULTS_SEED'] ?? 0);
const atOnce = 12;
const workers = 3;

/** Responds to `/flaky?fails=2` from the third call with the same key on, and never to `/bad`. */
const outside: HttpTarget = new HttpTarget(({ work, path }) => {
  const { pathname, searchParams } = new URL(path, 'http://x');
  if (pathname === '/bad') return 400;
  return outside.timesOf(work) <= Number(searchParams.get('fails') ?? 0) ? 503 : 200;
});

let setup: TestPlatform;

beforeAll(async () => {
  await outside.open();
  setup = await TestPlatform.open({
    replicas: { 'run-worker': workers },
    environment: { LENSFORGE_HTTP_NODES_ALLOW_PRIVATE: 'true' },
  });
});
afterAll(async () => {
  await setup.close();
  outside.close();
});

const anyOf = (count: number): number => Math.floor(Math.random() * count);

async function start(graph: Graph | object): Promise<string> {
  const made = await setup.call('POST', '/v1/workflows', { body: { title: 'Random graph', graph } });
  const workflowId = String(made.body.data?.['id']);
  const run = await setup.call('POST', `/v1/workflows/${workflowId}/run`, { body: { inputs: {} } });
  if (run.status !== 202) throw new Error(`not accepted: ${JSON.stringify([made.body.error, run.body.error])}`);
  return String(run.body.data?.['runId']);
}

async function ended(runId: string): Promise<{ status: string; outputs: unknown; nodes: Record<string, string> }> {
  const status = await until(
    async () => {
      const [run] = await setup.db.query<{ status: string }[]>(
        'select status from runs where id = $1 and completed_at is not null',
        [runId],
      );
      return run?.status;
    },
    { what: () => `the end of run ${runId}` },
  );
  const nodes = await setup.db.query<{ key: string; status: string }[]>(
    'select node_key as key, status from node_results where run_id = $1',
    [runId],
  );
  const [outputs] = await setup.db.query<{ json: unknown }[]>(
    `select content_json as json from run_artifacts where run_id = $1 and kind = 'json'`,
    [runId],
  );
  return { status, outputs: outputs?.json, nodes: Object.fromEntries(nodes.map((row) => [row.key, row.status])) };
}

const answerOf: Parameters<typeof interpret>[2] = (node) =>
  node.type === 'http' && String(node.settings.url).endsWith('/bad') ? 'fails' : { output: { body: { n: 7 } } };

describe('workflows while workers are killed', () => {
  it(`have the results of the reference interpreter for ${graphs} random graphs`, async () => {
    let over = false;
    let kills = 0;
    const killing = (async () => {
      while (!over) {
        await pause(500 + anyOf(1500));
        const worker = anyOf(workers);
        await until(() => setup.pidOf('run-worker', worker));
        setup.platform.kill('run-worker', worker, 'SIGKILL');
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
        // The output of an http node has varying headers.
        const comparable = graph.nodes.some(({ type }) => type === 'http') ? undefined : outputs;
        const found = differences({ ...reference, outputs: comparable }, await ended(await start(graph)));
        faults.push(...found.map((fault) => `graph ${seed}: ${fault}`));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    over = true;
    await killing;
    expect(faults).toEqual([]);
    await setup.allEnded();
    const [found] = await setup.db.query<{ nodes: number; lost: number }[]>(
      'select count(*)::int as nodes, count(*) filter (where lost_attempts > 0)::int as lost from node_results',
    );
    const figures = { graphs, 'from number': firstSeed, ...found, 'workers killed': kills };
    process.stdout.write(`random graphs: ${JSON.stringify(figures)}\n`);
    expect(kills).toBeGreaterThan(0);
    expect(await setup.findings()).toEqual(nothingFound);
  }, 1_500_000);
});
