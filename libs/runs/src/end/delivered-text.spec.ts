import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { readBalance } from '@lensforge/credits';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import {
  type NewRunEvent,
  acceptWorkflowRun,
  appendEvents,
  appendNodeText,
  cancelRun,
  claimRuns,
  moveNodes,
  readRun,
  reconcileRuns,
  reserveForNode,
  reserveForStep,
} from '../index.js';
import { moveWithSettlement } from '../nodes/move-with-settlement.js';
import { aMove } from '../testing.js';
import { endRun } from './end-run.js';

let database: RunsDatabase;
let who: Context;

beforeAll(async () => {
  database = await openRunsDatabase();
});
afterAll(() => database.close());

const terms = { tokenInput: 10, creditsPer1kInput: 1000, creditsPer1kOutput: 1000 };
/** Twelve words, each a token. */
const text = ' word'.repeat(12);
const delta = (written = text): NewRunEvent => ({ type: 'node.output.delta', payload: { nodeId: 'n', text: written } });

async function streaming(...events: NewRunEvent[]): Promise<{ runId: string; attempt: number }> {
  who = await database.anAccount(10_000);
  const { id: runId, attempt, sequence } = await database.aClaimedRun(who, { credits: true });
  if (events.length > 0) await appendEvents(database.platform, [{ runId, attempt, after: sequence, events }]);
  return { runId, attempt };
}

const reconcile = (maxLost = 3) => reconcileRuns(database.platform, { maxLost, cancelGraceMs: 1, limit: 100 });
const spent = async (): Promise<number> => {
  const { available, held } = await readBalance(who);
  expect(held).toBe(0);
  return 10_000 - available;
};

describe('a run of a paid model that ends without an answer', () => {
  const ways: [string, (run: { runId: string; attempt: number }) => Promise<unknown>][] = [
    [
      'canceled by its worker',
      (run) => endRun(database.platform, { ...run, from: 'running', status: 'canceled', reason: 'x' }),
    ],
    [
      'canceled because its worker ignored it',
      async ({ runId }) => {
        await cancelRun(who, runId);
        await database.set(runId, `cancel_requested_at = now() - interval '1 minute'`);
        await reconcile();
      },
    ],
    [
      'ended by its deadline',
      async ({ runId }) => {
        await database.set(runId, `deadline_at = now() - interval '1 s'`);
        await reconcile();
      },
    ],
    [
      'canceled while it waits for another attempt',
      async ({ runId }) => {
        await database.set(runId, `lease_until = now() - interval '1 s'`);
        await reconcile();
        await cancelRun(who, runId);
      },
    ],
  ];

  it.each(ways)('and is %s costs the text that was delivered', async (_, end) => {
    const run = await streaming(delta(), delta());
    await end(run);
    const { creditCost, billingStatus, tokenOutput, tokenInput } = await readRun(who, run.runId);
    expect(creditCost).toBe(Number(tokenInput) + Number(tokenOutput));
    expect([billingStatus, tokenOutput]).toEqual(['charged', 24]);
    expect(await spent()).toBe(creditCost);
    expect(await database.faults()).toEqual([]);
  });

  it.each(ways)('and is %s costs nothing if it delivered nothing', async (_, end) => {
    const run = await streaming();
    await end(run);
    expect(await readRun(who, run.runId)).toMatchObject({ creditCost: 0, billingStatus: 'released' });
    expect(await spent()).toBe(0);
  });

  it('costs the use that its worker has measured', async () => {
    const run = await streaming(delta());
    const delivered = { tokenInput: 5, tokenOutput: 6, cost: 11 };
    await endRun(database.platform, { ...run, from: 'running', status: 'canceled', reason: 'x', delivered });
    expect(await readRun(who, run.runId)).toMatchObject({ creditCost: 11, tokenInput: 5, tokenOutput: 6 });
  });

  it('costs no more than its hold', async () => {
    const run = await streaming(delta(' word'.repeat(5000)));
    const [{ hold }] = await database.source.query<[{ hold: number }]>(
      'select credit_hold::float8 as hold from runs where id = $1',
      [run.runId],
    );
    await endRun(database.platform, { ...run, from: 'running', status: 'canceled', reason: 'x' });
    expect(await spent()).toBe(hold);
  });

  it('costs nothing if it fails because its workers were lost', async () => {
    const { runId } = await streaming(delta());
    await database.set(runId, `lease_until = now() - interval '1 s'`);
    await reconcile(1);
    expect(await readRun(who, runId)).toMatchObject({ status: 'failed', creditCost: 0 });
  });
});

describe('a node of a workflow that ends without an answer', () => {
  /** A running run with a lens node and a step of an agent, each with a hold of 100 credits. */
  async function aRunningWorkflow(): Promise<string> {
    who = await database.anAccount(10_000);
    const { id: workflowId } = await aWorkflow(who);
    const { runId } = await acceptWorkflowRun(who, { workflowId, inputs: {} });
    await claimRuns(database.platform, [{ runId, generation: 0, worker: 'w', leaseMs: 12_000 }]);
    await moveNodes(database.platform, [
      aMove(runId, { nodes: [], events: [], modelCalls: 0, tokenInput: 0, tokenOutput: 0 }),
    ]);
    for (const [nodeKey, type] of [
      ['n', 'lens'],
      ['a', 'agent'],
    ]) {
      await database.source.query(
        `insert into node_results (run_id, node_key, node_id, type, status, attempt, lease_until)
         values ($1, $2, $2, $3, 'running', 1, now() + interval '1 hour')`,
        [runId, nodeKey, type],
      );
    }
    const hold = { amount: 100, payerAccountId: null, limits: [], terms };
    expect(await reserveForNode(who, { runId, nodeKey: 'n', attempt: 1 }, hold)).toMatchObject({ kind: 'reserved' });
    const step = { ...hold, path: '', step: 1, agentId: null, maxCredits: null };
    expect(await reserveForStep(who, { runId, nodeKey: 'a', attempt: 1 }, step)).toMatchObject({ kind: 'reserved' });
    return runId;
  }

  const stream = async (runId: string): Promise<void> => {
    const thought = { type: 'agent.thought', payload: { nodeId: 'a', step: 1, text } } as const;
    await appendNodeText(database.platform, [
      { runId, nodeKey: 'n', attempt: 1, events: [delta()] },
      { runId, nodeKey: 'a', attempt: 1, events: [thought] },
    ]);
  };
  const costs = async (runId: string) => {
    const rows = await database.source.query<{ key: string; cost: number; tokens: number }[]>(
      `select node_key as key, cost_credits::float8 as cost, tokens_used as tokens from node_results
        where run_id = $1 order by 1`,
      [runId],
    );
    return rows;
  };

  it('costs the text that it and its steps have streamed when its run is canceled', async () => {
    const runId = await aRunningWorkflow();
    await stream(runId);
    await cancelRun(who, runId);
    expect(await costs(runId)).toEqual([
      { key: 'a', cost: 22, tokens: 22 },
      { key: 'n', cost: 22, tokens: 22 },
    ]);
    expect(await readRun(who, runId)).toMatchObject({
      creditCost: 44,
      billingStatus: 'charged',
      tokenInput: 20,
      tokenOutput: 24,
    });
    expect(await spent()).toBe(44);
    expect(await database.faults()).toEqual([]);
  });

  it('costs nothing when its run is canceled before any text', async () => {
    const runId = await aRunningWorkflow();
    await cancelRun(who, runId);
    expect(await readRun(who, runId)).toMatchObject({ creditCost: 0, billingStatus: 'none' });
    expect(await spent()).toBe(0);
  });

  it.each([
    ['timed_out', 44],
    ['failed', 0],
  ] as const)('that has %s costs %i credits with its text', async (status, cost) => {
    const runId = await aRunningWorkflow();
    await stream(runId);
    const [{ version }] = await database.source.query<[{ version: number }]>(
      'select node_version as version from runs where id = $1',
      [runId],
    );
    const ended = (key: string, type: string) => ({
      ...aMove(runId, { nodeKey: key }).nodes[0]!,
      type,
      status,
      error: { code: 'X', message: 'x' },
    });
    const failure = { errorCode: 'X', errorMessage: 'x' };
    const move = aMove(runId, {
      version,
      attempt: null,
      nodes: [ended('n', 'lens'), ended('a', 'agent')],
      events: [],
      modelCalls: 0,
      tokenInput: 0,
      tokenOutput: 0,
      end: { status: 'failed', artifacts: [], failure },
    });
    expect(await moveWithSettlement(database.platform, move)).toBe(true);
    expect(await readRun(who, runId)).toMatchObject({ status: 'failed', creditCost: cost });
    expect(await spent()).toBe(cost);
    expect(await moveWithSettlement(database.platform, move)).toBe(false);
    expect(await database.faults()).toEqual([]);
  });
});
