import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, withConcurrency, atRate } from './test-platform.js';

/** Ten times the capacity of one worker, for a minute. */
const atOnce = 10;
const runMs = 500;
const perSecond = 10 * atOnce * (1000 / runMs);
const seconds = 60;
const backlog = 1000;
const maxMb = 512;

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({
    environment: {
      LENSFORGE_RUN_CONCURRENCY: `${atOnce}`,
      LENSFORGE_BACKLOG_PER_ACCOUNT: `${backlog}`,
      LENSFORGE_INVARIANTS_MS: '1000',
    },
  });
});
afterAll(() => setup.close());

/** The peak memory of each process. */
async function peaks(): Promise<Record<string, number>> {
  const { postgres: _postgres, redis: _redis, ...services } = setup.platform.pids;
  const all = Object.entries(services).flatMap(([name, pids]) => [pids].flat().map((pid) => [name, pid] as const));
  const read = all.map(async ([name, pid]) => {
    const [, kb] = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    return [name, Math.round(Number(kb) / 1024)] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

it('under ten times the capacity, requests are refused with a reason and accepted runs end', async () => {
  // Warms up before the overload.
  await withConcurrency(3000, 48, () => setup.execute());
  await setup.allEnded();
  const load = atRate(perSecond, () => setup.execute({ script: { delayMs: runMs } }));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const answers = await load.stop();
  const accepted = answers.filter(({ status }) => status === 202).map(({ ms }) => ms);
  const refused = answers.filter(({ status }) => status === 429);
  const memoryMb = await peaks();
  const sorted = accepted.toSorted((a, b) => a - b);
  const p99Ms = Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN);
  const counts = countBy(answers.map(({ status }) => status));
  process.stdout.write(`overload: ${JSON.stringify({ sent: answers.length, counts, p99Ms, memoryMb })}\n`);

  expect(Object.keys(counts).sort()).toEqual(['202', '429']);
  expect(refused.filter(({ headers }) => !(Number(headers.get('retry-after')) >= 1))).toEqual([]);
  expect(refused.filter(({ body }) => body.error?.code !== 'rate_limited')).toEqual([]);
  expect(Object.entries(memoryMb).filter(([, mb]) => !(mb <= maxMb))).toEqual([]);
  await setup.allEnded();
  expect(await setup.findings()).toEqual(nothingFound);
  await setup.invariantsHold();
});
