import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { BattleSeries, type SeriesSize } from './battle-series.js';
import { TestPlatform } from './test-platform.js';

const entriesEach = 4;
const judgementsEach = entriesEach * (entriesEach - 1);

interface Counts {
  /** Runs of battles, those of more than one attempt, and such judgings. */
  runs: number;
  repeated: number;
  repeatedJudgings: number;
  /** Judgings that succeeded. */
  judged: number;
  judgements: number;
  verdicts: number;
  /** Battles whose events are not 1, 2, 3 … up to the last one. */
  withGaps: number;
}

/**
 * Carries out a series of battles in peace, and the same one while workers are killed. The second must have the results,
 * verdicts and leaderboards of the first.
 */
export async function expectSameResultsUnderKills(
  size: SeriesSize,
  everyMs: number,
  maxKills = Number.POSITIVE_INFINITY,
): Promise<void> {
  const setup = await TestPlatform.open({
    replicas: { 'run-worker': 3 },
    environment: {
      LENSFORGE_RATINGS_DELAY_MS: '1000',
      LENSFORGE_RATINGS_PAUSE_MS: '1000',
      LENSFORGE_INVARIANTS_MS: '2000',
    },
  });
  try {
    const series = await BattleSeries.prepare(setup, size.votersEach);
    const calm = await series.carryOut('lenser_battle', size);
    await slowJudgings(setup);
    let over = false;
    let kills = 0;
    const killing = (async () => {
      for (let before = 0; !over; kills += 1) {
        if (kills === maxKills) break;
        // Isolated runs need workers that live longer than a process takes to start.
        const rest = pause(everyMs);
        await pause(everyMs / 2);
        // On a busy machine workers may start more slowly than they are killed.
        await until(async () => over || (await runsEnded(setup)) > before, {
          what: 'the end of a run',
        });
        before = await runsEnded(setup);
        await killJudge(setup, everyMs / 2);
        await rest;
      }
    })();
    const disturbed = await series.carryOut('workflow_battle', size).finally(() => (over = true));
    await killing;
    await setup.allEnded();

    const counts = await countsOf(setup, 'workflow_battle');
    process.stdout.write(`battles: ${JSON.stringify({ ...size, kills, retries: series.retries, ...counts })}\n`);
    expect(calm).toHaveLength(size.battles);
    expect(disturbed).toEqual(calm);
    expect(await series.leaderboards('workflow_battle', size)).toEqual(
      await series.leaderboards('lenser_battle', size),
    );
    const judged = {
      judged: size.battles,
      judgements: size.battles * judgementsEach,
      verdicts: size.battles * entriesEach,
    };
    expect(counts).toMatchObject({ ...judged, withGaps: 0 });
    expect(kills).toBeGreaterThan(1);
    expect(counts.repeatedJudgings).toBeGreaterThan(0);
    expect(await setup.findings()).toEqual(nothingFound);
    await setup.invariantsHold();
  } finally {
    await setup.close();
  }
}

async function runsEnded({ db }: TestPlatform): Promise<number> {
  const [{ count }] = await db.query<[{ count: number }]>(
    'select count(*)::int as count from runs where completed_at is not null',
  );
  return count;
}

/** Makes judgings take a while, since a judging by the offline judge ends before its worker can be found and killed. */
async function slowJudgings({ db }: TestPlatform): Promise<void> {
  await db.query(
    'create function wait_a_while() returns trigger language plpgsql as $$ begin perform pg_sleep(0.2); return null; end $$',
  );
  await db.query(
    'create trigger slow_judging before insert on battle_judgements for each statement execute function wait_a_while()',
  );
}

/** Kills a worker that judges at the moment; any worker if none does within this time. */
async function killJudge(setup: TestPlatform, withinMs: number): Promise<void> {
  const judging = async (): Promise<number | undefined> => {
    const [run] = await setup.db.query<{ worker: string }[]>(
      `select worker from runs where status = 'running' and kind = 'judging' limit 1`,
    );
    return run && Number(run.worker.split(':')[1]);
  };
  const pid = await until(judging, { within: withinMs, every: 5 }).catch(() => undefined);
  const isOurs = [setup.platform.pids['run-worker'] ?? []].flat().some((each) => each === pid);
  try {
    if (pid !== undefined && isOurs) return void process.kill(pid, 'SIGKILL');
  } catch {
    /* it has just ended */
  }
  await setup.signal('run-worker', 'SIGKILL');
}

async function countsOf({ db }: TestPlatform, battleType: string): Promise<Counts> {
  const [counts] = await db.query<Counts[]>(
    `with own as (select id from battles where battle_type = $1),
          runs_of as (select r.* from runs r join own on r.cause ->> 'battleId' = own.id::text)
     select (select count(*) from runs_of)::int as runs,
            (select count(*) from runs_of where attempt > 1)::int as repeated,
            (select count(*) from runs_of where kind = 'judging' and attempt > 1)::int as "repeatedJudgings",
            (select count(*) from runs_of where kind = 'judging' and status = 'succeeded')::int as judged,
            (select count(*) from battle_judgements where battle_id in (select id from own))::int as judgements,
            (select count(*) from battle_verdicts where battle_id in (select id from own))::int as verdicts,
            (select count(*) from battles b join own using (id)
              where b.last_sequence <> (select count(*) from battle_events e where e.battle_id = b.id)
                 or b.last_sequence <> (select max(e.sequence) from battle_events e where e.battle_id = b.id))::int as "withGaps"`,
    [battleType],
  );
  if (!counts) throw new Error('the count returned nothing');
  return counts;
}
