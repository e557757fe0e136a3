import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BattleType, LoggedVote } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { textCovariates } from '../ratings/text-covariates.js';
import { setBattleStatus } from '../set-battle-status.js';
import { aPublishedBattle, aVote, refitNow } from '../testing.js';
import { getLeaderboardFit } from './get-leaderboard-fit.js';
import { leaderboardOfLog } from './leaderboard-of-log.js';
import { listLeaderboard } from './list-leaderboard.js';
import { markRatingsDue } from './mark-ratings-due.js';
import { abandonRefit, claimRefit, completeRefit, extendRefit } from './refit-claims.js';
import { refitLeaderboards } from './refit-leaderboards.js';
import { type LeaderboardKey, voteLog } from './vote-log.js';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await openTestDatabase();
  const { id } = await anAccount(database.ctx);
  ctx = actingAs(database.ctx, id);
});
afterAll(() => database.close());

const keyOf = (battleType: BattleType, rest: Partial<LeaderboardKey> = {}): LeaderboardKey => ({
  battleType,
  source: 'votes',
  covariates: 'none',
  ...rest,
});

const page = (key: LeaderboardKey, position = {}) => listLeaderboard(ctx, { ...key, limit: 100, ...position });
const namesIn = async (key: LeaderboardKey) => (await page(key)).items.map(({ displayName }) => displayName);

async function logOf(key: LeaderboardKey): Promise<LoggedVote[]> {
  let text = '';
  for await (const part of voteLog(ctx, key)) text += part;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoggedVote);
}

const linesOf = async function* (votes: readonly LoggedVote[]): AsyncGenerator<string> {
  for (const vote of votes) yield await Promise.resolve(JSON.stringify(vote));
};

describe('the leaderboards of a battle type', () => {
  const type = 'ai_vs_ai';
  const [ada, ben] = [newId(), newId()];
  const withLenses = { lenses: { Ada: ada, Ben: ben } };

  beforeAll(async () => {
    await aPublishedBattle(ctx, ['Ada', 'Ben'], {
      ...withLenses,
      votes: [...Array<string[][]>(5).fill([['Ada'], ['Ben']]), [['Ben'], ['Ada']], [['Ada', 'Ben']]],
      texts: { Ada: 'A long answer of many words.', Ben: '- short' },
    });
    await aPublishedBattle(ctx, ['Ada (new)', 'Ben', 'Eve'], {
      lenses: { 'Ada (new)': ada, Ben: ben },
      votes: [
        [['Ben'], ['Ada (new)', 'Eve']],
        [['Eve'], ['Ben'], ['Ada (new)']],
      ],
      texts: { Eve: '# Title' },
      scores: { 'Ada (new)': 0.2, Ben: 0.9, Eve: 0.2 },
    });
    await aPublishedBattle(ctx, ['Ada', 'Ben'], { ...withLenses, status: 'closed', votes: [[['Ben'], ['Ada']]] });
    await aPublishedBattle(ctx, ['Zoe', 'Yan'], { battleType: 'human_vs_ai', votes: [[['Zoe'], ['Yan']]] });
    await refitNow(ctx, type);
  });

  it('rate lenses over all published battles of the type, and lensers without one, by the newest name', async () => {
    const { items, total } = await page(keyOf(type));
    expect(total).toBe(3);
    expect(items.map(({ displayName, kind, votes }) => [displayName, kind, votes])).toEqual(
      expect.arrayContaining([
        ['Ada (new)', 'lens', 9],
        ['Ben', 'lens', 9],
        ['Eve', 'lenser', 2],
      ]),
    );
    const first = items.find(({ contender }) => contender === ada)!;
    expect(first).toMatchObject({ component: 1, wins: 5, ties: 1, losses: 4 });
    expect(first.interval.low).toBeLessThan(first.strength);
    expect(first.interval.high).toBeGreaterThan(first.strength);
    expect(first.ranks.best).toBeLessThanOrEqual(first.rank);
    expect(items.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  });

  it('rate verdicts by themselves, a battle as one ranking by judge score, and with votes on request', async () => {
    const judges = keyOf(type, { source: 'judges' });
    expect((await namesIn(judges))[0]).toBe('Ben');
    expect(await logOf(judges)).toMatchObject([{ ranking: [[ben], [expect.any(String), expect.any(String)]] }]);
    const votes = async (source: LeaderboardKey['source']) =>
      (await getLeaderboardFit(ctx, keyOf(type, { source }))).fit.votes;
    expect([await votes('votes'), await votes('judges'), await votes('all')]).toEqual([9, 1, 10]);
  });

  it('fit length and format of the texts on request', async () => {
    const key = keyOf(type, { covariates: 'style' });
    const { effects } = await getLeaderboardFit(ctx, key);
    expect(effects.map(({ covariate }) => covariate)).toEqual(['length', 'format']);
    const [vote] = (await logOf(key)).filter(({ contenders }) => contenders.length === 3);
    expect(Object.values(vote!.covariates!)).toContainEqual(textCovariates('# Title'));
    expect((await logOf(keyOf(type)))[0]).not.toHaveProperty('covariates');
  });

  it('can be computed again from the vote log, bit for bit', async () => {
    for (const source of ['votes', 'judges', 'all'] as const) {
      for (const covariates of ['none', 'style'] as const) {
        const key = keyOf(type, { source, covariates });
        const { items } = await page(key);
        const stored = await getLeaderboardFit(ctx, key);
        const { ratings, fit, effects, components, fragility } = await leaderboardOfLog(linesOf(await logOf(key)));
        expect(items.map(({ displayName: _, kind: __, ...entry }) => entry)).toEqual(ratings);
        const { statement, ...rest } = stored.fragility;
        expect({ ...stored, fragility: rest }).toMatchObject({ fit, effects, components, fragility });
        expect(statement).toMatch(/ votes /);
      }
    }
  });

  it('are paged by position', async () => {
    const whole = await page(keyOf(type));
    const second = await page(keyOf(type), { limit: 1, offset: 1 });
    expect(second).toEqual({ items: whole.items.slice(1, 2), total: 3, limit: 1, offset: 1, hasMore: true });
    expect(await page(keyOf(type), { offset: 3 })).toMatchObject({ items: [], total: 3, hasMore: false });
  });

  it('are empty before the first refit, and have no fit', async () => {
    expect(await page(keyOf('workflow_battle'))).toMatchObject({ items: [], total: 0 });
    await expect(getLeaderboardFit(ctx, keyOf('workflow_battle'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('leave out battles that were archived', async () => {
    const { battle } = await aPublishedBattle(ctx, ['Max', 'Mia'], {
      battleType: 'lenser_battle',
      votes: [[['Max'], ['Mia']]],
    });
    await refitNow(ctx, 'lenser_battle');
    expect(await namesIn(keyOf('lenser_battle'))).toEqual(['Max', 'Mia']);
    await ctx.db.query(`update battles set status = 'archived' where id = $1`, [battle.id]);
    await refitNow(ctx, 'lenser_battle');
    expect(await namesIn(keyOf('lenser_battle'))).toEqual([]);
    expect(await logOf(keyOf('lenser_battle'))).toEqual([]);
  });

  it('do not compare a lens with itself', async () => {
    const lens = newId();
    await aPublishedBattle(ctx, ['Twin', 'Other twin', 'Uma', 'Vic'], {
      battleType: 'human_vs_human_open_votes',
      lenses: { Twin: lens, 'Other twin': lens },
      votes: [[['Twin'], ['Uma', 'Other twin'], ['Vic']]],
    });
    await refitNow(ctx, 'human_vs_human_open_votes');
    expect((await namesIn(keyOf('human_vs_human_open_votes'))).sort()).toEqual(['Uma', 'Vic']);
  });
});

describe('the vote log', () => {
  const type = 'human_vs_human_ai_votes';

  it('has the day of a vote and nothing of the voter, and no order of voters', async () => {
    const voters = Array.from({ length: 40 }, () => newId()).sort();
    const { battle, ids } = await aPublishedBattle(ctx, ['A', 'B'], { battleType: type });
    const votes = voters.map((_, n) => [[n < 20 ? ids['A']! : ids['B']!]]);
    for (const [n, voter] of voters.entries()) await aVote(ctx, battle, votes[n]!, voter);
    const log = await logOf(keyOf(type));
    expect(log).toHaveLength(40);
    const today = new Date().toISOString().slice(0, 10);
    for (const line of log) {
      expect(Object.keys(line)).toEqual(['battle', 'contenders', 'ranking', 'at']);
      expect(line.at).toMatch(/^\d{4}-\d{2}-\d{2}T00:00:00\.000Z$/);
      expect(line.at <= `${today}T23`).toBe(true);
    }
    const written = JSON.stringify(log);
    for (const voter of voters) expect(written).not.toContain(voter);
    // In the order of voters the first twenty votes would be for the same contender.
    expect(new Set(log.slice(0, 20).map(({ ranking }) => ranking[0]![0])).size).toBe(2);
  });

  it('has the contenders that a vote ranks, and ties only of votes for a tie', async () => {
    const names = ['A', 'B', 'C'];
    const votes = [[['B'], ['A', 'C']], [['C'], ['A'], ['B']], [['A', 'B', 'C']]];
    const { battle } = await aPublishedBattle(ctx, names, { battleType: type, votes });
    const log = (await logOf(keyOf(type))).filter((line) => line.battle === battle.id);
    expect(log.map(({ contenders }) => contenders.length)).toEqual([3, 3, 3]);
    expect(log.map(({ ranking }) => ranking.map((place) => place.length)).sort()).toEqual([[1], [1, 1, 1], [3]]);
  });

  it('is read in parts, with every vote once', async () => {
    const { battle, ids } = await aPublishedBattle(ctx, ['A', 'B'], { battleType: 'workflow_battle' });
    const other = await aPublishedBattle(ctx, ['C', 'D'], { battleType: 'workflow_battle', votes: [[['C']], [['D']]] });
    await ctx.db.query(
      `insert into battle_votes (battle_id, account_id, ranking, entry_order)
       select $1, gen_random_uuid(), jsonb_build_array(jsonb_build_array($2::text)), '{}' from generate_series(1, 12000)`,
      [battle.id, ids['A']],
    );
    let queries = 0;
    const db = Object.create(ctx.db) as Context['db'];
    db.query = (...args: Parameters<Context['db']['query']>) => {
      queries += 1;
      return ctx.db.query(...args);
    };
    const parts = voteLog({ ...ctx, db }, keyOf('workflow_battle'));
    const first = (await parts.next()).value as string;
    expect(first.split('\n')).toHaveLength(2001);
    expect(queries).toBe(2);
    const counts = new Map([
      [battle.id, 0],
      [other.battle.id, 0],
    ]);
    const count = (text: string) => {
      for (const line of text.trimEnd().split('\n')) {
        const { battle: id } = JSON.parse(line) as LoggedVote;
        counts.set(id, counts.get(id)! + 1);
      }
    };
    count(first);
    for await (const part of parts) count(part);
    expect([...counts.values()]).toEqual([12_000, 2]);
  });
});

describe('a refit', () => {
  const type = 'human_vs_ai';
  const settled = { delayMs: 10_000, pauseMs: 60_000, leaseMs: 30_000 };
  const state = (members: string) => ctx.db.query(`update rating_refits set ${members} where battle_type = $1`, [type]);
  const claim = () => claimRefit(ctx, settled);
  beforeAll(() => ctx.db.query('delete from rating_refits'));

  it('is due when a battle is published, and when it is archived', async () => {
    const { battle } = await aPublishedBattle(ctx, ['A', 'B'], { battleType: type, status: 'closed' });
    const due = async (): Promise<unknown[]> => {
      const rows = await ctx.db.query<unknown[]>('select battle_type from rating_refits where changed_at is not null');
      await ctx.db.query('delete from rating_refits');
      return rows;
    };
    await setBattleStatus(ctx, { battleId: battle.id, status: 'published' });
    expect(await due()).toEqual([{ battle_type: type }]);
    await setBattleStatus(ctx, { battleId: battle.id, status: 'archived', confirm: true });
    expect(await due()).toEqual([{ battle_type: type }]);
    const closed = await aPublishedBattle(ctx, ['A', 'B'], { battleType: type, status: 'closed' });
    await setBattleStatus(ctx, { battleId: closed.battle.id, status: 'archived', confirm: true });
    expect(await due()).toEqual([]);
  });

  it('waits for further changes after the first one, and begins while more arrive', async () => {
    await markRatingsDue(ctx, type);
    expect(await claim()).toBeUndefined();
    await state(`changed_at = now() - interval '11 s'`);
    await markRatingsDue(ctx, type);
    expect(await claim()).toMatchObject({ battleType: type, attempt: 1 });
  });

  it('is claimed by one worker at a time', async () => {
    await state(`changed_at = now() - interval '1 h', started_at = now() - interval '1 h', leased_until = null`);
    const claims = await Promise.all(Array.from({ length: 5 }, claim));
    expect(claims.filter(Boolean)).toHaveLength(1);
    await state(`changed_at = now() - interval '1 h', started_at = now() - interval '1 h'`);
    expect(await claim()).toBeUndefined();
  });

  it('begins at most once a minute, and rests as long as the last one took', async () => {
    const due = `changed_at = now() - interval '1 h', leased_until = null`;
    await state(`${due}, started_at = now() - interval '50 s', ended_at = now() - interval '49 s'`);
    expect(await claim()).toBeUndefined();
    await state(`${due}, started_at = now() - interval '9 m', ended_at = now() - interval '4 m'`);
    expect(await claim()).toBeUndefined();
    await state(`${due}, started_at = now() - interval '9 m', ended_at = now() - interval '5 m'`);
    expect(await claim()).toBeDefined();
  });

  it('is claimed again after the lease of a lost worker, whose result is refused', async () => {
    await state(`changed_at = now() - interval '1 h', started_at = null, leased_until = null`);
    const lost = (await claim())!;
    expect(await extendRefit(ctx, lost, 30_000)).toBe(true);
    await state(`leased_until = now() - interval '1 ms', started_at = now() - interval '2 m'`);
    expect(await extendRefit(ctx, lost, 30_000)).toBe(false);
    await expect(refitLeaderboards(ctx, lost)).rejects.toThrow('lease');
    expect((await page(keyOf(type))).total).toBe(0);
    const next = (await claim())!;
    expect(next.attempt).toBe(lost.attempt + 1);
    await expect(inTransaction(ctx, (ctx) => completeRefit(ctx, lost))).rejects.toThrow('lease');
    await abandonRefit(ctx, lost);
    await refitLeaderboards(ctx, next);
    expect((await page(keyOf(type))).total).toBe(2);
  });

  it('is due again when it fails', async () => {
    await state(`changed_at = now() - interval '1 h', started_at = null`);
    await abandonRefit(ctx, (await claim())!);
    const [row] = await ctx.db.query<object[]>(
      `select changed_at is not null as due, leased_until is null as free from rating_refits where battle_type = $1`,
      [type],
    );
    expect(row).toEqual({ due: true, free: true });
  });

  it('that completes leaves changes during it due', async () => {
    await state(`changed_at = now() - interval '1 h', started_at = null, ended_at = null`);
    const claimed = (await claim())!;
    await markRatingsDue(ctx, type);
    await refitLeaderboards(ctx, claimed);
    const [row] = await ctx.db.query<object[]>(
      `select changed_at is not null as due from rating_refits where battle_type = $1`,
      [type],
    );
    expect(row).toEqual({ due: true });
  });
});
