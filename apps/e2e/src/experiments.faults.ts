import { setTimeout as pause } from 'node:timers/promises';
import { type shapes, createClient } from '@lensforge/sdk';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { nothingFound } from './audit.js';
import { TestPlatform } from './test-platform.js';

/*
 * An experiment of 1,000 cases, three arms and two repetitions while workers, gateways, Redis and PostgreSQL die. Each cell has one
 * run and one score of each scorer, and the results are those that follow from the offline answers.
 */

const cases = 1000;
const repetitions = 2;

let setup: TestPlatform;

beforeAll(async () => {
  setup = await TestPlatform.open({ replicas: { 'run-worker': 3, 'api-gateway': 2 } });
});
afterAll(() => setup.close());

/** Kills until it is told to stop, and counts. */
function keepKilling(isOpen: () => boolean): { kills: Record<string, number>; ended: Promise<unknown> } {
  const kills: Record<string, number> = { 'run-worker': 0, 'api-gateway': 0, redis: 0, postgres: 0 };
  const every = async (name: string, ms: number, kill: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      await pause(ms);
      if (!isOpen()) return;
      await kill();
      kills[name] = (kills[name] ?? 0) + 1;
    }
  };
  const flush = async (): Promise<void> => {
    const redis = new Redis(setup.platform.redisUrl, { maxRetriesPerRequest: 3 });
    redis.on('error', () => undefined);
    await redis.flushall().catch(() => undefined);
    redis.disconnect();
  };
  const stopPostgres = async (): Promise<void> => {
    const pid = setup.pidOf('postgres');
    setup.platform.kill('postgres', 0, 'SIGQUIT');
    await until(() => ![undefined, pid].includes(setup.pidOf('postgres')));
  };
  const ended = Promise.all([
    every('run-worker', 3000, () => setup.signal('run-worker', 'SIGKILL')),
    every('api-gateway', 7000, () => setup.signal('api-gateway', 'SIGKILL')),
    every('redis', 11_000, flush),
    every('postgres', 17_000, stopPostgres),
  ]);
  return { kills, ended };
}

it('of 1,000 cases, three arms and two repetitions has each cell once under kills of everything', async () => {
  const client = createClient({
    baseUrl: setup.platform.urlOf('api-gateway', 0),
    apiKey: setup.token,
    maxRetries: 20,
  });
  const templateBody = 'Write one plain sentence about the number [[Number]] and say nothing else.';
  const lens = await client.lenses.create({ title: 'Numbers', templateBody });
  const dataset = await client.datasets.create({ name: 'Numbers' });
  await client.datasets.changeCases(dataset.id, {
    save: Array.from({ length: cases }, (_, at) => ({
      key: String(at).padStart(4, '0'),
      params: { Number: String(at) },
      expected: `number ${at} `,
    })),
  });
  const order: shapes.ExperimentRequest = {
    target: { lensId: lens.id },
    dataset: { id: dataset.id },
    arms: [
      { name: 'plain' },
      { name: 'shouting', candidate: { templateBody: `${templateBody.replace('number', 'NUMBER')} Please.` } },
      { name: 'polite', candidate: { templateBody: `${templateBody} Please be so kind.` } },
    ],
    baseline: 'plain',
    repetitions,
    concurrency: 50,
    scorers: [
      { name: 'number', kind: 'check', assertions: [{ type: 'contains' }] },
      { name: 'odd', kind: 'check', assertions: [{ type: 'regex', value: String.raw`umber \d*[13579] and` }] },
      { name: 'short', kind: 'check', assertions: [{ type: 'not-contains', value: 'Please' }] },
      { name: 'better', kind: 'pairwise' },
      { name: 'clear', kind: 'model', method: 'rubric', rubric: 'Is about {{Number}}.' },
    ],
    gate: {
      rules: [
        { scorer: 'number', noProvenLoss: {} },
        { scorer: 'odd', min: 0.1 },
      ],
    },
  };
  let isOpen = true;
  const { kills, ended } = keepKilling(() => isOpen);
  const started = Date.now();
  const { id } = await client.experiments.create(order);
  const experiment = await until(
    async () => {
      const found = await client.experiments.get(id).catch(() => undefined);
      return found?.completedAt === null ? undefined : found;
    },
    { within: 400_000, what: 'the experiment to end' },
  );
  isOpen = false;
  await ended;

  const cells = cases * 3 * repetitions;
  expect(experiment).toMatchObject({ status: 'completed', cellsDone: cells });
  const means = experiment.results?.map(({ failed, scorers }) => [
    failed,
    ...scorers.slice(0, 3).map(({ score }) => score.mean),
  ]);
  const near = (value: number): unknown => expect.closeTo(value, 6);
  expect(means).toEqual([
    [0, near(1), near(0.5), near(1)],
    [0, near(0), near(0), near(0)],
    [0, near(1), near(0.5), near(0)],
  ]);
  expect(experiment.outcome?.rules.map(({ arm, result }) => `${arm} ${result}`)).toEqual([
    'shouting failed',
    'shouting failed',
    'polite passed',
    'polite passed',
  ]);
  const [stored] = await setup.db.query<[{ runs: number; cells: number; scored: number; judgements: number }]>(
    `select (select count(*)::int from runs where cause ->> 'experimentId' = ($1::uuid)::text) as runs,
            (select count(distinct run_id)::int from experiment_cells where experiment_id = $1) as cells,
            (select count(*)::int from experiment_cells
              where experiment_id = $1 and state = 'scored' and cardinality(scores) = 5
                and array_position(scores, null) is null) as scored,
            (select count(*)::int from experiment_judgements where experiment_id = $1 and state = 'done') as judgements`,
    [id],
  );
  process.stdout.write(`experiment: ${JSON.stringify({ seconds: (Date.now() - started) / 1000, kills, ...stored })}\n`);
  // Two orders of each cell beside the baseline, and a question about every cell.
  const judgements = (cells / 3) * 2 * 2 + cells;
  expect(stored).toEqual({ runs: cells, cells, scored: cells, judgements });
  expect(experiment.results?.map(({ scorers }) => scorers.map(({ errors }) => errors))).toEqual(
    Array.from({ length: 3 }, () => [0, 0, 0, 0, 0]),
  );
  await setup.allEnded();
  expect(await setup.findings()).toEqual(nothingFound);
  await setup.invariantsHold();
});
