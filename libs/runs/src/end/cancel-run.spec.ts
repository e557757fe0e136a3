import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { CreditAccount } from '@lensforge/credits';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import {
  type ClaimedRun,
  cancelRun,
  claimRuns,
  endRun,
  extendLeases,
  finishRuns,
  finishWithSettlement,
  requeueRun,
} from '../index.js';
import { Run } from '../run.entity.js';
import { aFinish, aRun } from '../testing.js';

let database: RunsDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await openRunsDatabase();
  ctx = database.ctx;
});
afterAll(async () => {
  expect(await database.faults()).toEqual([]);
  await database.close();
});

const db = () => database.source.manager;
const load = (id: string) => db().findOneByOrFail(Run, { id });
const finish = async (run: ClaimedRun) => (await finishRuns(database.platform, [aFinish(run)]))[0];

describe('cancelRun', () => {
  it('ends a queued run at once', async () => {
    const { runId } = await aRun(ctx);
    database.changes.take();
    expect(await cancelRun(ctx, runId)).toEqual({ runId, status: 'canceled' });
    const { events, toAdmit } = database.changes.take();
    expect(toAdmit).toEqual([]);
    expect(events).toEqual([
      expect.objectContaining({
        eventType: 'run.canceled',
        payload: { reason: 'canceled by the caller' },
        sequence: 2,
      }),
    ]);
    expect(await load(runId)).toMatchObject({ status: 'canceled', completedAt: expect.any(Date), errorCode: null });
    expect(await claimRuns(database.platform, [{ runId, generation: 0, worker: 'w', leaseMs: 1000 }])).toEqual([
      undefined,
    ]);
  });

  it('releases the hold of a queued run', async () => {
    const who = await database.anAccount(1000);
    const { runId } = await aRun(who, { modelOverride: database.pricey.key });
    database.changes.take();
    await cancelRun(who, runId);
    const { events } = database.changes.take();
    expect(events.map(({ eventType, sequence }) => [eventType, sequence])).toEqual([
      ['credits.released', 3],
      ['run.canceled', 4],
    ]);
    expect(await load(runId)).toMatchObject({ billingStatus: 'released', creditCost: '0' });
    const { accountId } = who.actor;
    expect(await db().findOneBy(CreditAccount, { accountId })).toMatchObject({ available: '1000', held: '0' });
  });

  it('asks the worker of a running run to stop, which it learns with its next heartbeat', async () => {
    const run = await database.aClaimedRun();
    database.changes.take();
    expect(await cancelRun(ctx, run.id)).toEqual({ runId: run.id, status: 'running' });
    expect(database.changes.take()).toMatchObject({ events: [], runsToStop: [run.id] });
    const { cancelRequestedAt } = await load(run.id);
    expect(await cancelRun(ctx, run.id)).toMatchObject({ status: 'running' });
    expect((await load(run.id)).cancelRequestedAt).toEqual(cancelRequestedAt);
    const held = { runId: run.id, attempt: run.attempt };
    expect(await extendLeases(database.platform, [held], 1000)).toEqual([
      expect.objectContaining({ cancelRequested: true }),
    ]);
    expect(await requeueRun(database.platform, { ...held, reason: 'test', lost: true })).toBeUndefined();
    await endRun(database.platform, { ...held, from: 'running', status: 'canceled', reason: 'canceled by the caller' });
    expect(await database.typesOf(run.id)).toEqual(['run.queued', 'run.started', 'run.canceled']);
  });

  it('may be repeated, and refuses a run that has ended otherwise', async () => {
    const { runId } = await aRun(ctx);
    await cancelRun(ctx, runId);
    database.changes.take();
    expect(await cancelRun(ctx, runId)).toEqual({ runId, status: 'canceled' });
    expect(database.changes.take().events).toEqual([]);
    const run = await database.aClaimedRun();
    await finish(run);
    await expect(cancelRun(ctx, run.id)).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
      message: 'The run has ended as succeeded and cannot be canceled',
    });
  });

  it('refuses runs of another account', async () => {
    const { runId } = await aRun(ctx);
    const stranger = await database.anAccount();
    await expect(cancelRun(stranger, runId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no run with the id ${runId} that you can reach`,
    });
    await expect(cancelRun(ctx, newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const weak = { ...ctx, actor: { ...ctx.actor, scopes: ['workflows:write' as const] } };
    await expect(cancelRun(weak, runId)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await database.statusOf(runId)).toBe('queued');
  });

  it('needs the scope workflows:write for a workflow run', async () => {
    const { runId } = await aRun(ctx);
    await database.set(runId, `kind = 'workflow'`);
    const reader = { ...ctx, actor: { ...ctx.actor, scopes: ['workflows:read' as const, 'lenses:write' as const] } };
    await expect(cancelRun(reader, runId)).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: { scope: 'workflows:write' },
    });
    await expect(cancelRun(ctx, runId)).resolves.toMatchObject({ status: 'canceled' });
  });
});

describe('cancelRun at the same time as', () => {
  const rounds = Array.from({ length: 120 }, (_, round) => round);
  const inBatches = async (work: (round: number) => Promise<void>) => {
    for (let at = 0; at < rounds.length; at += 15) await Promise.all(rounds.slice(at, at + 15).map(work));
  };
  const maybeLater = (round: number) => new Promise((resolve) => setTimeout(resolve, round % 3));

  it('the claim of a worker cancels the run or asks the worker to stop, never both and never neither', async () => {
    const seen = new Set<string>();
    await inBatches(async (round) => {
      const { runId } = await aRun(ctx);
      const canceling = () => cancelRun(ctx, runId);
      const claiming = () => claimRuns(database.platform, [{ runId, generation: 0, worker: 'w', leaseMs: 12_000 }]);
      // The order of two concurrent calls is random; in some rounds one of them completes first.
      const before = round % 10 === 0 ? await canceling() : undefined;
      const claimedBefore = round % 10 === 1 ? await claiming() : undefined;
      const [claimed, outcome] = await Promise.all([
        claimedBefore ?? maybeLater(round).then(claiming),
        before ?? maybeLater(round + 1).then(canceling),
      ]);
      const { status, cancelRequestedAt } = await load(runId);
      seen.add(status);
      expect(outcome.status).toBe(status);
      expect(status).toBe(claimed[0] ? 'running' : 'canceled');
      expect(cancelRequestedAt !== null).toBe(status === 'running');
    });
    expect([...seen].sort()).toEqual(['canceled', 'running']);
  });

  it('the finish lets exactly one of them win and settles the credits once', async () => {
    const who = await database.anAccount(10_000_000);
    const outcomes = new Map<string, number>();
    await inBatches(async (round) => {
      const run = await database.aClaimedRun(who, { credits: true });
      const ending = { runId: run.id, attempt: run.attempt, from: 'running', status: 'canceled', reason: 'x' } as const;
      const [finished, canceled, asked] = await Promise.all([
        maybeLater(round).then(() => finishWithSettlement(database.platform, aFinish(run, { cost: 3 }))),
        maybeLater(round + 1).then(() => endRun(database.platform, ending)),
        maybeLater(round + 2).then(() => cancelRun(who, run.id).catch((reason: unknown) => reason)),
      ]);
      expect([finished, canceled].filter(Boolean)).toHaveLength(1);
      const { status, billingStatus } = await load(run.id);
      expect([status, billingStatus]).toEqual(finished ? ['succeeded', 'charged'] : ['canceled', 'released']);
      if (asked instanceof Error) expect(asked).toMatchObject({ code: 'INVALID_TRANSITION' });
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    });
    expect((outcomes.get('succeeded') ?? 0) + (outcomes.get('canceled') ?? 0)).toBe(rounds.length);
    expect(await database.faults()).toEqual([]);
  });
});
