import { newId } from '@lensforge/core';
import { type CreditLimit, readBalance } from '@lensforge/credits';
import { aWorkflow } from '@lensforge/workflows/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { acceptWorkflowRun, claimRuns, moveNodes, reserveForNode, reserveForStep, storeStep } from '../index.js';
import { aMove } from '../testing.js';
import { moveWithSettlement } from './move-with-settlement.js';

let database: RunsDatabase;

beforeAll(async () => {
  database = await openRunsDatabase();
});
afterAll(() => database.close());

const hold = 100;
/** The cost by the prices, which the estimate missed. */
const price = 250;
const nodeKey = 'n';
const nothing = { modelCalls: 0, tokenInput: 0, tokenOutput: 0 };
const terms = { tokenInput: 10, creditsPer1kInput: 1000, creditsPer1kOutput: 1000 };

interface Given {
  balance?: number;
  budget?: number;
  budgetOfParent?: number;
  limits?: CreditLimit[];
  maxCredits?: number;
  cause?: object;
}

/** A run with a running node, which holds 100 credits or has a step that does, and answers for 250. */
async function answer(type: 'lens' | 'agent', { balance = 10_000, limits = [], maxCredits, ...given }: Given) {
  const who = await database.anAccount(balance);
  const start = async (): Promise<string> => {
    const { id: workflowId } = await aWorkflow(who);
    const { runId } = await acceptWorkflowRun(who, { workflowId, inputs: {} });
    await claimRuns(database.platform, [{ runId, generation: 0, worker: 'w', leaseMs: 12_000 }]);
    await moveNodes(database.platform, [aMove(runId, { nodes: [], events: [], ...nothing })]);
    return runId;
  };
  const parentId = given.budgetOfParent === undefined ? undefined : await start();
  const runId = await start();
  await database.source.query(
    `update runs set budget_credits = $2, parent_run_id = $3, cause = coalesce($4, cause) where id = $1`,
    [runId, given.budget ?? null, parentId ?? null, given.cause ?? (parentId ? { kind: 'node', nodeKey } : null)],
  );
  if (parentId) await database.set(parentId, `budget_credits = ${given.budgetOfParent}`);
  await database.source.query(
    `insert into node_results (run_id, node_key, node_id, type, status, attempt, lease_until)
     values ($1, $2, $2, $3, 'running', 1, now() + interval '1 hour')`,
    [runId, nodeKey, type],
  );
  const node = { runId, nodeKey, attempt: 1 };
  const order = { amount: hold, payerAccountId: null, limits, terms };
  const step = { path: '', step: 1, agentId: null, maxCredits: maxCredits ?? null };
  if (type === 'lens') {
    expect(await reserveForNode(who, node, order)).toMatchObject({ kind: 'reserved' });
    const [{ version }] = await database.source.query<[{ version: number }]>(
      'select node_version as version from runs where id = $1',
      [runId],
    );
    const [ended] = aMove(runId, { nodeKey }).nodes;
    const nodes = [{ ...ended!, cost: price }];
    expect(
      await moveWithSettlement(database.platform, aMove(runId, { version, attempt: null, nodes, spent: price })),
    ).toBe(true);
  } else {
    expect(await reserveForStep(who, node, { ...order, ...step })).toMatchObject({ kind: 'reserved' });
    const used = { toolCalls: 0, tokenInput: 0, tokenOutput: 0, creditCost: price };
    const events = [
      { type: 'agent.step', payload: { nodeId: nodeKey, step: 1, agent: 'a', text: 'x', ...used } },
    ] as const;
    const result = { ...step, ...nothing, text: 'x', cost: price, hold, reduced: 0, activeMs: 1, calls: [] };
    // The answer of the database to the first call was lost.
    for (let at = 0; at < 2; at += 1) expect(await storeStep(who, node, { ...result, events })).toBe(true);
  }
  const [costs] = await database.source.query<
    [{ node: number; run: number; step: number | null; event: number | null }]
  >(
    `select n.cost_credits::float8 as node, r.spent_credits::float8 as run, s.cost_credits::float8 as step,
            (select (payload ->> 'creditCost')::float8 from run_events e
              where e.run_id = r.id and type = 'agent.step') as event
       from runs r join node_results n on n.run_id = r.id left join agent_steps s on s.run_id = r.id
      where r.id = $1`,
    [runId],
  );
  const { available, held } = await readBalance(who);
  expect(await database.faults()).toEqual([]);
  return { ...costs, charged: balance - available, held };
}

const aLimit = (): CreditLimit => ({ id: newId(), credits: 1000, period: 'total', of: 'agent' });

describe.each(['lens', 'agent'] as const)('an answer of a node (%s) that costs more than was estimated', (type) => {
  it.each<[string, Given, number]>([
    ['its price', {}, price],
    ['the credits of the account', { balance: 130 }, 130],
    ['the budget of its run', { budget: 220 }, 220],
    ['the budget of a parent run', { budgetOfParent: 170 }, 170],
    ['its hold under a credit limit', { limits: [aLimit()] }, hold],
    ['its hold in a battle, whose runs share a budget', { cause: { kind: 'battle' } }, hold],
    ...(type === 'agent' ? [['maxCredits of the node', { maxCredits: 180 }, 180] as [string, Given, number]] : []),
  ])('is charged %s', async (_, given, cost) => {
    const step = type === 'agent' ? cost : null;
    expect(await answer(type, given)).toEqual({ node: cost, run: cost, step, event: step, charged: cost, held: 0 });
  });
});
