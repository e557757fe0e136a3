import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { acceptJudgingRun, acceptWorkflowRun, endRun, retryRun } from '../index.js';
import { Run } from '../run.entity.js';
import { aPromptRun, aRun } from '../testing.js';

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

const battle = { kind: 'battle', battleId: newId(), contenderId: newId() };
const load = (id: string) => database.source.manager.findOneByOrFail(Run, { id });
const cancel = (runId: string) =>
  endRun(database.platform, { runId, from: 'queued', status: 'canceled', reason: 'test' });

/** Retries a canceled run and returns both. */
async function retried(runId: string): Promise<[Run, Run]> {
  await cancel(runId);
  const again = await retryRun(ctx, { runId });
  expect(again).toMatchObject({ status: 'queued', isNew: true });
  return [await load(runId), await load(again.runId)];
}

/** The members that a retry has in common with its original. */
const repeatedOf = ({
  kind,
  params,
  modelId,
  cause,
  tags,
  metadata,
  creditHold,
  creditLimit,
  executionMs,
  sampling,
}: Run) => ({
  kind,
  params,
  modelId,
  cause,
  tags,
  metadata,
  creditHold,
  creditLimit,
  executionMs,
  sampling,
});

describe('retryRun', () => {
  it('repeats a prompt run with a hold of its own', async () => {
    const { runId } = await aPromptRun(ctx, {
      prompt: 'Name a city',
      modelKey: database.pricey.key,
      cause: battle,
      maxCredits: 500,
      tags: ['a'],
      metadata: { n: 1 },
      sampling: { maxOutputTokens: 20 },
    });
    const [first, again] = await retried(runId);
    expect(repeatedOf(again)).toEqual(repeatedOf(first));
    expect([again.parentRunId, again.billingStatus, first.billingStatus]).toEqual([runId, 'reserved', 'released']);
  });

  it('repeats a judging run with a hold of its own, with or without a model', async () => {
    const params = { battleId: battle.battleId };
    const order = { targetId: battle.battleId, params, cause: { kind: 'battle', ...params }, timeoutMs: 60_000 };
    for (const judge of [
      { modelId: database.pricey.id, hold: 70 },
      { modelId: null, hold: 0 },
    ]) {
      const { runId } = await acceptJudgingRun(ctx, { ...order, ...judge });
      const [first, again] = await retried(runId);
      expect(repeatedOf(again)).toEqual(repeatedOf(first));
      expect([again.parentRunId, again.creditHold]).toEqual([runId, String(judge.hold)]);
    }
  });

  it('repeats the battle of a lens or workflow run, and no other cause', async () => {
    const { id: workflowId } = await aWorkflow(ctx);
    const limit = { id: newId(), credits: 100, period: 'total' as const };
    const limited = { ...ctx, actor: { ...ctx.actor, credential: { ...ctx.actor.credential, creditLimit: limit } } };
    const order = { workflowId, inputs: {} };
    const runs: [string, object | null][] = [
      [(await aRun(ctx, { cause: battle })).runId, battle],
      [(await acceptWorkflowRun(limited, { ...order, cause: battle })).runId, battle],
      [(await acceptWorkflowRun(ctx, { ...order, cause: { kind: 'schedule' } })).runId, null],
    ];
    for (const [runId, cause] of runs) expect((await retried(runId))[1].cause).toEqual(cause);
  });

  it('needs the scope that starts runs of the kind, and counts it as an execution', async () => {
    const { runId } = await aPromptRun(ctx);
    await cancel(runId);
    const reader = { ...ctx, actor: { ...ctx.actor, scopes: ['community:read' as const] } };
    await expect(retryRun(reader, { runId })).rejects.toMatchObject({ details: { scope: 'community:write' } });
    const counted: string[] = [];
    const countRun = (_: string, rate: string) => {
      counted.push(rate);
      return Promise.resolve(undefined);
    };
    await retryRun(ctx, { runId, countRun });
    expect(counted).toEqual(['execute']);
  });

  it('starts one run for requests with one key', async () => {
    const { runId } = await aPromptRun(ctx);
    await cancel(runId);
    const retry = () => retryRun(ctx, { runId, idempotencyKey: 'k' });
    expect((await retry()).runId).toBe((await retry()).runId);
  });
});
