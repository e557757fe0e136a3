import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform } from './test-platform.js';

/** Compares the wait of an account's first run beside 10,000 queued runs of another account with its wait alone. */
const flood = 10_000;
const perBatch = 1000;
const samples = 15;

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({ replicas: { 'run-worker': 2 } });
});
afterAll(() => setup.close());

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The time from acceptance to start of single runs, by the clock of the database. */
async function waits(token: string): Promise<number> {
  const all: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const runId = await setup.accepted({ token });
    const hasEnded = async (): Promise<boolean> => {
      const rows = await setup.db.query<object[]>('select id from runs where id = $1 and completed_at is not null', [
        runId,
      ]);
      return rows.length > 0;
    };
    await until(hasEnded, { every: 50, what: 'the end of the run' });
    const [run] = await setup.db.query<[{ ms: number }]>(
      'select extract(epoch from started_at - created_at)::float8 * 1000 as ms from runs where id = $1',
      [runId],
    );
    all.push(run.ms);
    await pause(100);
  }
  return median(all);
}

/** Repeats the request after a 503 of a busy machine; each item has an idempotency key. */
async function hasStarted(body: Record<string, unknown>): Promise<boolean> {
  const reply = await setup.call('POST', `/v1/lenses/${setup.lensId}/execute-batch`, { body, patience: 60_000 });
  if (reply.status !== 202 && reply.status !== 503) throw new Error(JSON.stringify(reply.body));
  if (reply.status === 503) process.stdout.write(`${JSON.stringify(reply.body)} after ${Math.round(reply.ms)} ms\n`);
  return reply.status === 202;
}

const leftOf = async (accountId: string): Promise<number> =>
  (
    await setup.db.query<[{ n: number }]>(
      'select count(*)::int as n from runs where account_id = $1 and completed_at is null',
      [accountId],
    )
  )[0].n;

it(`the first run of an account does not wait for ${flood} runs of another account`, async () => {
  const { id } = await anAccount(setup.ctx);
  const { value: token } = await aToken(setup.ctx, { accountId: id });
  await waits(token);
  const idle = await waits(token);

  const item = { params: { Name: 'Ada', Script: '\n@offline {"delayMs":300}\n' } };
  for (let sent = 0; sent < flood; sent += perBatch) {
    const items = Array.from({ length: perBatch }, (_, n) => ({ ...item, idempotencyKey: `flood ${sent + n}` }));
    await until(() => hasStarted({ items }), { every: 500, what: `batch ${sent / perBatch + 1}` });
  }
  const before = await leftOf(setup.accountId);
  const flooded = await waits(token);
  const after = await leftOf(setup.accountId);
  process.stdout.write(
    `fair queue: ${before} to ${after} runs of another account were queued; a first run waited ${flooded.toFixed(1)} ms ` +
      `and ${idle.toFixed(1)} ms alone: ${(flooded / idle).toFixed(2)} times\n`,
  );
  // All of these were accepted after the remaining runs, and had started before them.
  expect(after).toBeGreaterThan(0);
  await setup.allEnded(600_000);
  expect(await setup.findings()).toEqual(nothingFound);
});
