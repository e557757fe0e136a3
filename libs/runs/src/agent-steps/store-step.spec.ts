import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import type { HeldNode } from '../nodes/node-leases.js';
import { readRun } from '../read/read-run.js';
import { aStoredRun } from '../testing.js';
import { moveToolCall } from './move-tool-call.js';
import { readSteps } from './read-steps.js';
import { type StepResult, storeStep } from './store-step.js';

let database: RunsDatabase;

beforeAll(async () => {
  database = await openRunsDatabase();
});
afterAll(() => database.close());

/** A running node of a running run, held by its first attempt. */
async function aHeldNode(lostAttempts = 0): Promise<HeldNode> {
  const runId = await aStoredRun(database.ctx, { status: 'running', kind: 'workflow' });
  await database.source.query(
    `insert into node_results (run_id, node_key, node_id, type, status, attempt, lease_until, lost_attempts)
     values ($1, 'work', 'work', 'agent', 'running', 1, now() + interval '1 hour', $2)`,
    [runId, lostAttempts],
  );
  return { runId, nodeKey: 'work', attempt: 1 };
}

const call = { callId: 'c', name: 'get_lens', input: {}, metadata: null, toolId: 'get_lens' };
const aStep = (more: Partial<StepResult> = {}): StepResult => ({
  path: '',
  step: 1,
  agentId: null,
  text: 'Done.',
  tokenInput: 3,
  tokenOutput: 4,
  cost: 0,
  hold: 0,
  maxCredits: null,
  reduced: 0,
  activeMs: 1,
  calls: [call, { ...call, callId: 'd', result: { text: 'a lens', isError: false } }],
  events: [{ type: 'agent.thought', payload: { nodeId: 'work', step: 1, text: 'x' } }],
  ...more,
});

async function countsOf({ runId }: HeldNode) {
  const [counts] = await database.source.query<{ tokens: number; calls: number; events: number; lost: number }[]>(
    `select n.tokens_used::int as tokens, r.model_calls::int as calls, r.last_sequence::int as events, n.lost_attempts as lost
       from runs r join node_results n on n.run_id = r.id where r.id = $1`,
    [runId],
  );
  return counts;
}

describe('storing a step of an agent', () => {
  it('counts it once, also when the answer of the database was lost and the worker stores it again', async () => {
    const node = await aHeldNode();
    const tokenDetails = { cachedInput: 2, cacheWrite: 1, reasoning: 3, creditsSaved: 0 };
    for (const hold of [0, 0, 1]) {
      expect(await storeStep(database.ctx, node, aStep({ hold, tokenDetails }))).toBe(true);
    }
    expect(await countsOf(node)).toEqual({ tokens: 7, calls: 1, events: 2, lost: 0 });
    expect(await readRun(database.platform, node.runId)).toMatchObject({ tokenDetails });
    const { steps } = await readSteps(database.ctx, node);
    expect(steps).toMatchObject([
      {
        calls: [
          { state: 'pending', result: null, isError: null },
          { state: 'done', result: 'a lens', isError: false },
        ],
      },
    ]);
    expect(await database.faults()).toEqual([]);
  });

  it('stores steps of several nodes side by side, and a fault of one does not stop the others', async () => {
    const [one, other, lost] = await Promise.all([aHeldNode(), aHeldNode(), aHeldNode()]);
    await database.source.query(
      `insert into node_results (run_id, node_key, node_id, type, status, attempt, lease_until)
       values ($1, 'second', 'second', 'agent', 'running', 1, now() + interval '1 hour')`,
      [one.runId],
    );
    const second = { ...one, nodeKey: 'second' };
    const results = await Promise.allSettled([
      storeStep(database.ctx, one, aStep()),
      storeStep(database.ctx, second, aStep({ tokenInput: 10 })),
      storeStep(database.ctx, other, aStep()),
      storeStep(database.ctx, { ...lost, attempt: 2 }, aStep()),
      storeStep(database.ctx, lost, aStep({ step: 0 })),
    ]);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'rejected'))).toEqual([
      true,
      true,
      true,
      false,
      'rejected',
    ]);
    const [run] = await database.source.query<[{ calls: number; events: number; tokens: number }]>(
      'select model_calls as calls, last_sequence as events, token_input as tokens from runs where id = $1',
      [one.runId],
    );
    expect(run).toEqual({ calls: 2, events: 3, tokens: 13 });
    expect(await countsOf(other)).toEqual({ tokens: 7, calls: 1, events: 2, lost: 0 });
    expect(await countsOf(lost)).toEqual({ tokens: 0, calls: 0, events: 1, lost: 0 });
    expect(await database.faults()).toEqual([]);
  });

  it('stores nothing for a worker that does not hold the node any more', async () => {
    const node = await aHeldNode();
    const late = { ...node, attempt: 2 };
    expect(await storeStep(database.ctx, late, aStep())).toBe(false);
    await database.set(node.runId, "status = 'canceled', completed_at = now(), lease_until = null");
    expect(await storeStep(database.ctx, node, aStep())).toBe(false);
    expect(await countsOf(node)).toEqual({ tokens: 0, calls: 0, events: 1, lost: 0 });
  });

  it('forgets lost workers, as a result of a tool does', async () => {
    const node = await aHeldNode(2);
    expect(await storeStep(database.ctx, node, aStep())).toBe(true);
    expect(await countsOf(node)).toMatchObject({ tokens: 7, lost: 0 });
    await database.source.query('update node_results set lost_attempts = 1 where run_id = $1', [node.runId]);
    const move = { path: '', step: 1, position: 1, from: ['pending' as const], state: 'done' as const };
    expect(await moveToolCall(database.ctx, node, { ...move, result: 'x', isError: false })).toBe(true);
    expect(await countsOf(node)).toMatchObject({ lost: 0 });
    expect(await moveToolCall(database.ctx, node, { ...move, result: 'y', isError: false })).toBe(false);
  });
});
