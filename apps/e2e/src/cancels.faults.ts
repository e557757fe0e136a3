import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { grantCredits } from '@lensforge/credits';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { type SlowProvider, openSlowProvider } from './slow-provider.js';
import { TestPlatform, countBy, withConcurrency } from './test-platform.js';

const each = 300;

let provider: SlowProvider;
let setup: TestPlatform;
let priced: string;
beforeAll(async () => {
  provider = await openSlowProvider();
  setup = await TestPlatform.open({
    replicas: { 'run-worker': 2 },
    environment: { ...provider.environment, LENSFORGE_RUN_CONCURRENCY: '50', LENSFORGE_INVARIANTS_MS: '1000' },
  });
  await provider.offer(setup.ctx);
  await grantCredits(setup.ctx, { accountId: setup.accountId, amount: 100_000_000 });
  priced = (await aPricedModel(setup.ctx)).key;
});
afterAll(async () => {
  await setup.close();
  provider.close();
});

const cancel = (runId: string) => setup.call('POST', `/v1/runs/${runId}/cancel`);

interface Ended {
  end: string;
  ms: number | null;
  captured: number;
}

const endsOf = (runIds: readonly string[]): Promise<Ended[]> =>
  setup.db.query<Ended[]>(
    `select coalesce(error_code, status) as "end",
            (extract(epoch from completed_at - cancel_requested_at) * 1000)::int as ms,
            (select count(*)::int from credit_entries e where e.run_id = r.id and e.kind = 'capture') as captured
       from runs r where id = any ($1)`,
    [runIds],
  );

const report = (what: string, figures: object): boolean =>
  process.stdout.write(`cancel, ${what}: ${JSON.stringify(figures)}\n`);

describe('300 runs', () => {
  it('that are queued end at once after a cancel and cost nothing', async () => {
    await setup.platform.hold('run-worker', 0);
    await setup.platform.hold('run-worker', 1);
    const runIds = await withConcurrency(each, 20, () => setup.accepted({ body: { modelOverride: priced } }));
    const answers = await withConcurrency(each, 20, (n) => cancel(runIds[n] ?? ''));
    expect(countBy(answers.map(({ body }) => String(body.data?.['status'])))).toEqual({ canceled: each });
    const ends = await endsOf(runIds);
    expect(countBy(ends.map(({ end, captured }) => `${end} ${captured}`))).toEqual({ 'canceled 0': each });
    await Promise.all([setup.platform.resume('run-worker', 0), setup.platform.resume('run-worker', 1)]);
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
  });

  it('that are running end soon after a cancel, their provider calls are aborted, and they cost nothing', async () => {
    const hangUps: number[] = [];
    const runIds = await withConcurrency(each, 40, async () => {
      const runId = await setup.accepted({ body: { modelOverride: 'openai-compatible/drips-words' } });
      await until(() => provider.calls.has(runId), { what: 'the call of the provider' });
      await pause(Math.random() * 500);
      await cancel(runId);
      const at = performance.now();
      const endedAt = await until(() => provider.calls.get(runId)?.endedAt, { what: 'the end of the call' });
      hangUps.push(Math.max(0, endedAt - at));
      return runId;
    });
    await setup.allEnded();
    const ends = await endsOf(runIds);
    const figures = {
      ends: countBy(ends.map(({ end }) => end)),
      maxMs: Math.max(...ends.map(({ ms }) => ms ?? 0)),
      maxCallMs: Math.round(Math.max(...hangUps)),
    };
    report('running', figures);
    expect(figures.ends).toEqual({ canceled: each });
    expect(ends.filter(({ captured }) => captured > 0)).toEqual([]);
    expect(await setup.findings()).toEqual(nothingFound);
  });

  it('that are about to end have one end each, and only those that succeeded cost credits', async () => {
    const runIds = await withConcurrency(each, 20, async () => {
      const script = { pieces: 3, pieceDelayMs: 30 };
      const runId = await setup.accepted({ script, body: { modelOverride: priced } });
      await pause(Math.random() * 250);
      await cancel(runId);
      return runId;
    });
    await setup.allEnded();
    const ends = await endsOf(runIds);
    const counts = countBy(ends.map(({ end, captured }) => `${end} ${captured}`));
    report('about to end', { ends: counts });
    expect(Object.keys(counts).filter((end) => !['canceled 0', 'succeeded 1'].includes(end))).toEqual([]);
    expect(await setup.findings()).toEqual(nothingFound);
    await setup.invariantsHold();
  });
});
