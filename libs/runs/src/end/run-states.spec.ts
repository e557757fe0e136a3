import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isTerminal, runStatuses } from '@lensforge/contracts';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { runStates } from './run-states.js';
import { aRun } from '../testing.js';

let database: RunsDatabase;

beforeAll(async () => {
  database = await openRunsDatabase();
});
afterAll(() => database.close());

/** Sets the columns that the check constraints require for a status, so that only the transition itself can be refused. */
const rowOf = (status: string): string =>
  `status = '${status}',
   lease_until = ${status === 'running' ? 'now()' : 'null'},
   completed_at = ${isTerminal(status as 'failed') ? 'now()' : 'null'}`;

describe('runStates', () => {
  it('contains the statuses of the contract, all reachable, four of them terminal', () => {
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

  it.each(moves)('agrees with the database about the transition from %s to %s', async (from, to) => {
    const { runId } = await aRun(database.ctx);
    if (from !== 'queued') await database.set(runId, rowOf('running'));
    if (isTerminal(from)) await database.set(runId, rowOf(from));
    const move = database.set(runId, rowOf(to));
    if (runStates.canMove(from, to)) await expect(move).resolves.toBeUndefined();
    else await expect(move).rejects.toThrow(`run ${runId} is ${from} and cannot become ${to}`);
    expect(await database.statusOf(runId)).toBe(runStates.canMove(from, to) ? to : from);
  });

  it.each([
    ['an end without its time', `status = 'canceled'`],
    ['a time without an end', 'completed_at = now()'],
    ['running without a lease', `status = 'running'`],
    ['a lease without running', 'lease_until = now()'],
    ['an unknown status', `status = 'done'`],
  ])('matches a row with %s being refused by the database', async (_, change) => {
    const { runId } = await aRun(database.ctx);
    await expect(database.set(runId, change)).rejects.toThrow(/violates check constraint/);
  });
});
