import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, DomainError, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { aLens } from '@lensforge/lenses/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { acceptJudgingRun, acceptLensRun, acceptPromptRun, acceptWorkflowRun } from '../index.js';
import type { AcceptedRun } from './accept-once.js';

let database: RunsDatabase;
let ctx: Context;
let lensId: string;
let workflowId: string;
beforeAll(async () => {
  database = await openRunsDatabase();
  ctx = await database.anAccount(100_000);
  lensId = (await aLens(ctx)).id;
  workflowId = (await aWorkflow(ctx)).id;
});
afterAll(async () => {
  expect(await database.faults()).toEqual([]);
  await database.close();
});

interface Options {
  idempotencyKey?: string;
}
const timeoutMs = 60_000;
const cause = { kind: 'battle', battleId: newId() };
const params = { Name: 'Ada' };

/** Every way to accept a run, free and paid. */
const ways: [string, (ctx: Context, more?: Options) => Promise<AcceptedRun>][] = [
  ['a lens run', (ctx, more) => acceptLensRun(ctx, { lensId, params, timeoutMs, cause, ...more })],
  [
    'a paid lens run',
    (ctx, more) =>
      acceptLensRun(ctx, { lensId, params, timeoutMs, cause, modelOverride: database.pricey.key, ...more }),
  ],
  [
    'a paid lens run that replaces others',
    (ctx, more) =>
      acceptLensRun(ctx, {
        lensId,
        params,
        timeoutMs,
        concurrencyKey: 'k',
        concurrencyStrategy: 'cancel-in-progress',
        modelOverride: database.pricey.key,
        ...more,
      }),
  ],
  ['a workflow run', (ctx, more) => acceptWorkflowRun(ctx, { workflowId, inputs: {}, cause, ...more })],
  ['a prompt run', (ctx, more) => acceptPromptRun(ctx, { prompt: 'x', timeoutMs, cause, ...more })],
  [
    'a paid prompt run',
    (ctx, more) => acceptPromptRun(ctx, { prompt: 'x', timeoutMs, cause, modelKey: database.pricey.key, ...more }),
  ],
  [
    'a judging run',
    (ctx, more) =>
      acceptJudgingRun(ctx, {
        targetId: cause.battleId,
        params: { battleId: cause.battleId },
        modelId: null,
        hold: 0,
        timeoutMs,
        cause,
        ...more,
      }),
  ],
  [
    'a paid judging run',
    (ctx, more) =>
      acceptJudgingRun(ctx, {
        targetId: cause.battleId,
        params: { battleId: cause.battleId },
        modelId: database.pricey.id,
        hold: 70,
        timeoutMs,
        cause,
        ...more,
      }),
  ],
];

const tables = ['runs', 'run_events', 'idempotency_keys', 'outbox', 'credit_entries', 'concurrency_claims'];
const stored = async () => ({
  rows: await Promise.all(tables.map((table) => database.rowsIn(table))),
  credits: await database.source.query<object[]>(
    'select account_id, available, held from credit_accounts order by account_id',
  ),
});

describe('in an open transaction', () => {
  it.each(ways)('%s leaves nothing after a rollback', async (_, accept) => {
    const before = await stored();
    database.changes.take();
    const work = inTransaction(ctx, async (ctx) => {
      await accept(ctx, { idempotencyKey: newId() });
      throw new DomainError('CONFLICT', 'no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await stored()).toEqual(before);
    expect(Object.values(database.changes.take()).flat()).toEqual([]);
  });

  it.each(ways)('%s is written by its commit', async (_, accept) => {
    database.changes.take();
    const { runId } = await inTransaction(ctx, async (inner) => {
      const run = await accept(inner);
      const [seen] = await ctx.db.query<unknown[]>('select 1 from runs where id = $1', [run.runId]);
      expect([seen, database.changes.take().jobs]).toEqual([undefined, []]);
      return run;
    });
    expect(await database.statusOf(runId)).toBe('queued');
    expect(await database.outboxOf(runId)).toMatchObject([{ job: 'run.execute', jobId: `${runId}-g0` }]);
    expect(database.changes.takeJob(runId)).toBeDefined();
  });

  it.each(ways.filter(([way]) => way.includes('paid')))(
    '%s leaves nothing when its credits are refused and the transaction commits',
    async (_, accept) => {
      const limit = { id: newId(), credits: 1, period: 'total' as const };
      const limited = {
        ...ctx,
        actor: { ...ctx.actor, credential: { ...ctx.actor.credential, creditLimit: limit } },
      };
      const before = await stored();
      await inTransaction(limited, async (ctx) => {
        await expect(accept(ctx, { idempotencyKey: newId() })).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
      });
      expect(await stored()).toEqual(before);
    },
  );

  it('many runs are accepted one after the other, as far as the credits suffice', async () => {
    const who = await database.anAccount(5 * 101);
    const order = { prompt: 'x', timeoutMs, cause, modelKey: database.pricey.key };
    const runIds = await inTransaction(who, async (ctx) => {
      const accepted: string[] = [];
      for (let n = 0; n < 5; n += 1) accepted.push((await acceptPromptRun(ctx, order)).runId);
      await expect(acceptPromptRun(ctx, order)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
      return accepted;
    });
    const [{ holds, commits }] = await database.source.query<[{ holds: number; commits: number }]>(
      `select sum(credit_hold)::int as holds, count(distinct xmin::text)::int as commits from runs where id = any ($1)`,
      [runIds],
    );
    expect(holds).toBe(5 * 101);
    // Each savepoint has a transaction id of its own.
    expect(commits).toBe(5);
  });

  it('a run that exists under the key is found', async () => {
    const idempotencyKey = newId();
    const order = { prompt: 'x', timeoutMs, cause, idempotencyKey };
    const first = await acceptPromptRun(ctx, order);
    const again = await inTransaction(ctx, (ctx) => acceptPromptRun(ctx, order));
    expect(again).toEqual({ ...first, isNew: false });
  });
});
