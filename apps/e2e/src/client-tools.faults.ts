import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@lensforge/sdk';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { nothingFound } from './audit.js';
import { TestPlatform, withConcurrency } from './test-platform.js';

/*
 * Runs of a lens wait for tools of their caller while workers and gateways die. Each call is answered once, and each answer has all
 * results.
 */

const count = 200;
const rounds = 3;

let setup: TestPlatform;

beforeAll(async () => {
  setup = await TestPlatform.open({ replicas: { 'run-worker': 3, 'api-gateway': 2 } });
});
afterAll(() => setup.close());

it('each of 200 runs with three rounds of calls gets its results once under kills of workers and gateways', async () => {
  const calls = Array.from({ length: rounds }, (_, round) => ({
    calls: [
      { name: 'add', input: { round: round + 1, part: 1 } },
      { name: 'add', input: { round: round + 1, part: 2 } },
    ],
    delayMs: 300,
  }));
  const script = [...calls, { say: '{{1}} {{2}} {{3}} {{4}} {{5}} {{6}}' }];
  const { body } = await setup.call('POST', '/v1/lenses', {
    body: {
      title: 'Sums',
      templateBody: `@offline ${JSON.stringify({ script })}\nAdd to [[Number]]`,
      settings: { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
    },
  });
  const lensId = String(body.data?.['id']);

  let isOpen = true;
  const kills = { 'run-worker': 0, 'api-gateway': 0 };
  const killing = Object.entries({ 'run-worker': 2500, 'api-gateway': 4000 }).map(async ([service, everyMs]) => {
    while (isOpen) {
      await pause(everyMs);
      await setup.signal(service, 'SIGKILL');
      kills[service as keyof typeof kills] += 1;
    }
  });

  const performed = new Map<string, number>();
  const ended = await withConcurrency(count, 40, async (n) => {
    const client = createClient({
      baseUrl: setup.platform.urlOf('api-gateway', n % 2),
      apiKey: setup.token,
      maxRetries: 10,
    });
    const { runId } = await client.lenses.execute(lensId, { params: { Number: n } });
    return client.runs.withTools(runId, {
      add: async ({ round, part }) => {
        const call = `${n}.${String(round)}.${String(part)}`;
        performed.set(call, (performed.get(call) ?? 0) + 1);
        await pause(Math.random() * 500);
        return call;
      },
    });
  });
  isOpen = false;
  await Promise.all(killing);

  const texts = ended.map(({ artifacts }) => artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput)?.contentText);
  const all = (n: number): string[] =>
    Array.from({ length: rounds * 2 }, (_, at) => `${n}.${Math.floor(at / 2) + 1}.${(at % 2) + 1}`);
  expect(texts).toEqual(Array.from({ length: count }, (_, n) => all(n).join(' ')));
  expect(performed.size).toBe(count * rounds * 2);
  const [stored] = await setup.db.query<[{ waits: number; received: number; calls: number; starts: number }]>(
    `select (select count(*)::int from node_waits where kind = 'tool') as waits,
            (select count(*)::int from node_waits where kind = 'tool' and decision = 'received') as received,
            (select count(*)::int from agent_tool_calls where state = 'done') as calls,
            (select count(*)::int from run_events where type = 'node.started') as starts`,
  );
  const repeated = [...performed.values()].filter((times) => times > 1).length;
  process.stdout.write(`tools of callers: ${JSON.stringify({ kills, ...stored, repeated })}\n`);
  expect(stored).toMatchObject({ waits: count * rounds * 2, received: count * rounds * 2, calls: count * rounds * 2 });
  await setup.allEnded();
  expect(await setup.findings()).toEqual(nothingFound);
  await setup.invariantsHold();
});
