import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { type JudgingRunOrder, acceptJudgingRun, claimRuns, endRun, readRun } from '../index.js';
import { Run } from '../run.entity.js';

let database: RunsDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await openRunsDatabase();
  ({ ctx } = database);
});
afterAll(async () => {
  expect(await database.faults()).toEqual([]);
  await database.close();
});

const params = { battleId: newId() };
const cause = { kind: 'battle', ...params };
const accept = (more: Partial<JudgingRunOrder> = {}, who = ctx) =>
  acceptJudgingRun(who, {
    targetId: params.battleId,
    params,
    modelId: null,
    hold: 0,
    timeoutMs: 60_000,
    cause,
    ...more,
  });
const load = (id: string) => database.source.manager.findOneByOrFail(Run, { id });

describe('acceptJudgingRun', () => {
  it('writes a free run without a model', async () => {
    const { runId } = await accept();
    expect(await load(runId)).toMatchObject({ kind: 'judging', params, cause, modelId: null, creditHold: '0' });
    expect(await readRun(ctx, runId)).toMatchObject({ kind: 'judging', origin: 'battle', modelKey: null });
    expect(database.changes.takeJob(runId)).toMatchObject({ job: 'run.execute', jobId: `${runId}-g0` });
    const [claimed] = await claimRuns(database.platform, [{ runId, generation: 0, worker: 'w', leaseMs: 1000 }]);
    expect(claimed).toMatchObject({ kind: 'judging', params, modelId: null });
  });

  it('holds the estimate of its caller, and releases it at the end', async () => {
    const who = await database.anAccount(1000);
    const { runId } = await accept({ modelId: database.pricey.id, hold: 300 }, who);
    expect(await load(runId)).toMatchObject({
      modelId: database.pricey.id,
      creditHold: '300',
      billingStatus: 'reserved',
    });
    await endRun(database.platform, { runId, from: 'queued', status: 'canceled', reason: 'test' });
    expect(await database.typesOf(runId)).toEqual([
      'run.queued',
      'credits.reserved',
      'credits.released',
      'run.canceled',
    ]);
    const order = { modelId: database.pricey.id, hold: 1001 };
    await expect(accept(order, who)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    await expect(accept({ ...order, hold: 9, maxCredits: 8 }, who)).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      details: { limitOf: 'run' },
    });
  });

  it('starts one run for requests with one key, which belongs to the battle', async () => {
    const idempotencyKey = newId();
    const accepted = await Promise.all(Array.from({ length: 10 }, () => accept({ idempotencyKey })));
    expect(new Set(accepted.map(({ runId }) => runId)).size).toBe(1);
    const { isNew } = await accept({ idempotencyKey, targetId: newId() });
    expect(isNew).toBe(true);
  });

  it.each<[string, Partial<JudgingRunOrder>]>([
    ['an unknown model', { modelId: newId() }],
    ['the credits of a sponsor', { fundingSource: 'sponsored' }],
    ['a local runner', { fundingSource: 'user_byok_local' }],
  ])('refuses %s', async (_, more) => {
    await expect(accept(more)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  it('needs the scope community:write', async () => {
    const reader = { ...ctx, actor: { ...ctx.actor, scopes: ['community:read' as const] } };
    await expect(accept({}, reader)).rejects.toMatchObject({ details: { scope: 'community:write' } });
  });
});
