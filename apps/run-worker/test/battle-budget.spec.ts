import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { executeBattle } from '@lensforge/battles';
import { aBattle, aContender } from '@lensforge/battles/testing';
import type { Context } from '@lensforge/core';
import { ledgerFaults } from '@lensforge/credits';
import { grantTestCredits } from '@lensforge/credits/testing';
import { actingAs, anAccount, anAiLenser } from '@lensforge/identity/testing';
import { announceProviders } from '@lensforge/models';
import { retryRun } from '@lensforge/runs';
import { ProviderFault } from '../src/providers/provider.js';
import { type JudgingSetup, aJudge, aJudgingSetup, judgeModel } from './judging-setup.js';

let setup: JudgingSetup;
let ctx: Context;
beforeAll(async () => {
  setup = await aJudgingSetup();
  ({ ctx } = setup);
  await announceProviders(ctx.db, ['judge']);
  await grantTestCredits(ctx, ctx.actor.accountId, 1_000_000);
});
afterAll(() => setup.close());

/** Starts the answers of two AI contenders, and returns their runs and the sum of their holds. */
async function answers(budgetCredits: number | null): Promise<{ battleId: string; runs: string[]; held: number }> {
  const battle = await aBattle(ctx, {
    status: 'open',
    budgetCredits: budgetCredits === null ? null : String(budgetCredits),
  });
  const owner = actingAs(ctx, (await anAccount(ctx)).id);
  for (let n = 0; n < 2; n += 1) {
    const { id: lenserAccountId } = await anAiLenser(owner, { aiModelKey: judgeModel });
    const ownerAccountId = owner.actor.accountId;
    await aContender(ctx, battle, { contenderType: 'ai_model', lenserAccountId, ownerAccountId });
  }
  const { runs } = await executeBattle(ctx, { battleId: battle.id, timeoutMs: 60_000 });
  const runIds = runs.map(({ runId }) => runId);
  const [{ held }] = await ctx.db.query<[{ held: number }]>(
    'select sum(credit_hold)::float8 as held from runs where id = any ($1)',
    [runIds],
  );
  return { battleId: battle.id, runs: runIds, held };
}

describe('the budget of a battle', () => {
  it.each([
    ['the younger', false],
    ['the older', true],
  ])('pays for the older of two retries of an answer, also when %s one runs first', async (_, isOlderFirst) => {
    const { held } = await answers(null);
    const { battleId, runs } = await answers(held);
    const [first = '', second = ''] = runs;
    // An answer costs its whole hold.
    const { provider, requests } = aJudge(
      () => (requests.length === 2 ? new ProviderFault('refused', 'no') : 'Waves.'),
      { input: 100_000, output: 1 },
    );
    const engine = setup.judgingEngine(provider);
    const execute = (runId: string) => engine.execute({ runId, generation: 0 });
    expect([await execute(first), await execute(second)]).toEqual(['succeeded', 'failed']);
    const retries = [await retryRun(ctx, { runId: second }), await retryRun(ctx, { runId: second })];
    const [older = '', younger = ''] = retries.map(({ runId }) => runId);

    const order = isOlderFirst ? [older, younger] : [younger, older];
    const outcomes = new Map<string, string>();
    for (const runId of order) outcomes.set(runId, await execute(runId));
    expect([outcomes.get(older), outcomes.get(younger)]).toEqual(['succeeded', 'failed']);
    expect(requests).toHaveLength(3);
    expect(await setup.run(younger)).toMatchObject({
      errorCode: 'BUDGET_EXCEEDED',
      errorMessage: expect.stringContaining('budgetCredits of the battle has 0 left'),
      creditCost: 0,
      billingStatus: 'released',
    });
    const [{ cost }] = await ctx.db.query<[{ cost: number }]>(
      `select sum(credit_cost)::float8 as cost from runs where cause ->> 'battleId' = $1`,
      [battleId],
    );
    expect(cost).toBe(held);
    expect(await ledgerFaults(ctx.db)).toEqual([]);
  });

  it('does not limit retries of a battle without one', async () => {
    const { runs } = await answers(null);
    const [first = ''] = runs;
    const { provider, requests } = aJudge(() =>
      requests.length === 1 ? new ProviderFault('refused', 'no') : 'Waves.',
    );
    const engine = setup.judgingEngine(provider);
    expect(await engine.execute({ runId: first, generation: 0 })).toBe('failed');
    for (let n = 0; n < 2; n += 1) {
      const { runId } = await retryRun(ctx, { runId: first });
      expect(await engine.execute({ runId, generation: 0 })).toBe('succeeded');
    }
  });
});
