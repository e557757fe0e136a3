import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { grantCredits } from '@lensforge/credits';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { type SlowProvider, openSlowProvider, slowModels } from './slow-provider.js';
import { TestPlatform, countBy, withConcurrency } from './test-platform.js';

/** Deadlines and delays are measured by the clock of the database. */

const workers = 2;
const each = 100;

let provider: SlowProvider;
let setup: TestPlatform;
beforeAll(async () => {
  provider = await openSlowProvider();
  setup = await TestPlatform.open({
    replicas: { 'run-worker': workers },
    environment: {
      ...provider.environment,
      LENSFORGE_RUN_CONCURRENCY: '200',
      LENSFORGE_RUNS_AT_ONCE_PER_ACCOUNT: '400',
      LENSFORGE_INVARIANTS_MS: '1000',
    },
  });
  await provider.offer(setup.ctx);
  await grantCredits(setup.ctx, { accountId: setup.accountId, amount: 100_000_000 });
});
afterAll(async () => {
  await setup.close();
  provider.close();
});

async function endsOf(runIds: readonly string[]): Promise<{ ends: Record<string, number>; latestMs: number }> {
  const rows = await setup.db.query<{ end: string; ms: number }[]>(
    `select coalesce(error_code, status) as "end", (extract(epoch from completed_at - deadline_at) * 1000)::int as ms
       from runs where id = any ($1)`,
    [runIds],
  );
  return { ends: countBy(rows.map(({ end }) => end)), latestMs: Math.max(...rows.map(({ ms }) => ms)) };
}

async function judge(what: string, runIds: readonly string[]): Promise<void> {
  const { ends, latestMs } = await endsOf(runIds);
  process.stdout.write(`${what}: ${JSON.stringify({ ends, latestMs })}\n`);
  expect(ends).toEqual({ RUN_TIMED_OUT: runIds.length });
  expect(await setup.findings()).toEqual(nothingFound);
}

describe('a run ends at its deadline', () => {
  it.each(slowModels)('when its provider %s', async (modelOverride) => {
    const body = { modelOverride, timeoutSeconds: 3 };
    const runIds = await withConcurrency(each, 20, () => setup.accepted({ body }));
    await setup.allEnded();
    await judge(`deadlines, a provider that ${modelOverride}`, runIds);
    await until(() => runIds.every((runId) => provider.calls.get(runId)?.endedAt ?? !provider.calls.has(runId)), {
      what: 'the end of all calls',
    });
  });

  it('when all workers are frozen, queued or running', async () => {
    const running = await withConcurrency(each, 20, () =>
      setup.accepted({ script: { hang: true }, body: { timeoutSeconds: 30 } }),
    );
    const left = `select count(*)::int as left from runs where id = any ($1) and status <> 'running'`;
    await until(async () => (await setup.db.query<[{ left: number }]>(left, [running]))[0].left === 0, {
      what: 'the start of all runs',
    });
    for (let n = 0; n < workers; n += 1) setup.platform.kill('run-worker', n, 'SIGSTOP');
    const queued = await withConcurrency(each, 20, () => setup.accepted({ body: { expiresInSeconds: 4 } }));
    await setup.allEnded().catch(() => undefined);
    const all = await Promise.all([endsOf(running), endsOf(queued)]);
    for (let n = 0; n < workers; n += 1) setup.platform.kill('run-worker', n, 'SIGCONT');
    expect(all.map(({ ends }) => ends)).toEqual([{ RUN_TIMED_OUT: each }, { RUN_TIMED_OUT: each }]);
    await setup.allEnded();
    await judge('deadlines, all workers frozen, running', running);
    await judge('deadlines, all workers frozen, queued', queued);
    await setup.invariantsHold();
  });
});
