import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getLeaderboardFit, getNextBattle, listLeaderboard, markRatingsDue, voteLog } from '@lensforge/battles';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext, fillDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { indexesOf, planCounts, plansIn } from './query-plan-reader.js';

/** 12,000 battles of two types with two contenders and five votes each, and a leaderboard of 1,000 contenders. */
const fill = `
insert into accounts (id, kind, handle, display_name) select uuidv7(), 'person', 'a-' || i, 'x' from generate_series(1, 1000) i;
create temporary table people as select id, row_number() over () - 1 as n from accounts;
insert into battles (id, creator_account_id, title, task_prompt, battle_type, judging_mode, max_contenders, status, blind_key,
                     closed_at, published_at)
  select uuidv7(), p.id, 'x', 'x', (array['ai_vs_ai', 'human_vs_ai'])[1 + i % 2], 'community_vote', 2,
         (array['published', 'published', 'voting', 'draft'])[1 + i / 2 % 4], '\\x00', now(), now()
    from generate_series(1, 12000) i join people p on p.n = i % 1000;
insert into battle_contenders (id, battle_id, slot_label, display_name, contender_type, lenser_account_id, owner_account_id)
  select uuidv7(), b.id, chr(65 + s), 'x', 'human', p.id, p.id
    from (select *, row_number() over () as i from battles) b, generate_series(0, 1) s
    join people p on true where p.n = (b.i * 7 + s * 13 + 1) % 1000;
insert into battle_submissions (contender_id, battle_id, content_text) select id, battle_id, 'x' from battle_contenders;
insert into battle_verdicts (contender_id, battle_id, verdict, score, reasoning)
  select id, battle_id, 'x', 0.5, 'x' from battle_contenders;
insert into battle_votes (battle_id, account_id, ranking, entry_order, counted)
  select b.id, p.id, '[]', '{}', true
    from (select *, row_number() over () as i from battles where status <> 'draft') b, generate_series(1, 5) v
    join people p on true where p.n = (b.i * 11 + v * 17 + 2) % 1000;
insert into leaderboards (battle_type, source, covariates, fitted_at, contenders, fit, effects, component_count, components,
                          fragility, timings)
  select t, s, c, now(), 1000, '{}', '[]', 1, '[]', '{"first": []}', '{}'
    from unnest(array['ai_vs_ai', 'human_vs_ai']) t, unnest(array['votes', 'judges', 'all']) s, unnest(array['none', 'style']) c;
insert into leaderboard_entries
  select l.battle_type, l.source, l.covariates, p.n + 1, p.id, 'lenser', 'x', 1, p.n + 1, 1, 1000, 0, -1, 1, 10, 5, 0, 5
    from leaderboards l, people p`;

let database: TestDatabase;
let source: DataSource;
let voter: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  await fillDatabase(database.url, fill);
  [{ id: voter }] = await source.query<[{ id: string }]>('select id from accounts limit 1');
});
afterAll(() => database.close());

const key = { battleType: 'ai_vs_ai', source: 'all', covariates: 'none' } as const;
const leaderboard = 'leaderboards by leaderboards_pkey';
/** Two indexes of contenders begin with the battle; PostgreSQL 15 and 18 choose differently. */
const contenders = /^battle_contenders by battle_contenders_(slot|entry)$/;
const ofBattles = [contenders, 'battle_submissions by battle_submissions_pkey'];

const calls: [string, (ctx: Context) => Promise<unknown>, (string | RegExp)[]][] = [
  [
    'listing a leaderboard',
    (ctx) => listLeaderboard(ctx, { ...key, limit: 100, offset: 500 }),
    [leaderboard, 'leaderboard_entries by leaderboard_entries_pkey'],
  ],
  ['reading its fit', (ctx) => getLeaderboardFit(ctx, key), [leaderboard]],
  [
    'reading the vote log',
    async (ctx) => voteLog(ctx, key).next(),
    [
      ...ofBattles,
      'battles by battles_type',
      'battle_verdicts by battle_verdicts_pkey',
      'battle_votes by battle_votes_log',
    ],
  ],
  ['marking ratings due', (ctx) => markRatingsDue(ctx, key.battleType), []],
  [
    'finding the next battle of a voter',
    (ctx) => getNextBattle({ ...ctx, actor: aContext(ctx.db, { accountId: voter }).actor }),
    [
      ...ofBattles,
      'accounts by accounts_pkey',
      'battle_votes by battle_votes_account',
      /^battles by battles_(status|pkey)$/,
      'leaderboard_entries by leaderboard_entries_contender',
      'battle_submissions by battle_submissions_battle',
    ],
  ],
];

describe('a query on leaderboards uses an index:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(source, call);
    for (const way of expected) expect(ways).toContainEqual(typeof way === 'string' ? way : expect.stringMatching(way));
    for (const way of ways) {
      const isExpected = expected.some((one) => (typeof one === 'string' ? one === way : one.test(way)));
      expect([way, isExpected]).toEqual([way, true]);
    }
  });

  it('listing a leaderboard has a generic plan', async () => {
    const plans = await plansIn(database.url, (ctx) => listLeaderboard(ctx, { ...key, limit: 100 }));
    expect(plans).toEqual([planCounts]);
  });
});
