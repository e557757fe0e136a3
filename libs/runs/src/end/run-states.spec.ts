import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isTerminal, runStatuses } from '@lensforge/contracts';
import type { RunsDatabase } from '../../test/runs-database.js';
import { openRunsDatabase } from '../../test/runs-database.js';
import { runStates } from './run-states.js';
import { aRun } from '../testing.js';

let books: RunsDatabase;

beforeAll(async () => {
  books = await openRunsDatabase();
});
afterAll(() => books.close());

/** What the row's own checks demand of a status, so that nothing but the move itself can be refused. */
const rowOf = (status: string): string =>
  `status = '${status}',
   lease_until = ${status === 'running' ? 'now()' : 'null'},
   completed_at = ${isTerminal(status as 'failed') ? 'now()' : 'null'}`;

describe('the states of a run', () => {
  it('are those of the contract, all reachable, the four ends final', () => {
    expect(runStates.initial).toBe('queued');
    expect([...runStates.states].sort()).toEqual([...runStatuses].sort());
    expect(runStates.unreachable()).toEqual([]);
    expect(runStates.states.filter((state) => runStates.isTerminal(state))).toEqual(
      runStates.states.filter((state) => isTerminal(state)),
    );
  });

  const moves = runStates.states.flatMap((from) =>
    runStates.states.filter((to) => to !== from).map((to) => [from, to] as const),
  );

  it.each(moves)('from %s to %s are kept by the database', async (from, to) => {
    const { runId } = await aRun(books.ctx);
    if (from !== 'queued') await books.set(runId, rowOf('running'));
    if (isTerminal(from)) await books.set(runId, rowOf(from));
    const move = books.set(runId, rowOf(to));
    if (runStates.canMove(from, to)) await expect(move).resolves.toBeUndefined();
    else await expect(move).rejects.toThrow(`run ${runId} is ${from} and cannot become ${to}`);
    expect(await books.statusOf(runId)).toBe(runStates.canMove(from, to) ? to : from);
  });

  it.each([
    ['an end without its time', `status = 'canceled'`],
    ['a time without an end', 'completed_at = now()'],
    ['running without a lease', `status = 'running'`],
    ['a lease without running', 'lease_until = now()'],
    ['another word', `status = 'done'`],
  ])('are never %s', async (_, change) => {
    const { runId } = await aRun(books.ctx);
    await expect(books.set(runId, change)).rejects.toThrow(/violates check constraint/);
  });
});
