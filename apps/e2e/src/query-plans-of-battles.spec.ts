import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addContender,
  advanceBattle,
  castVote,
  countBattleHistory,
  countBattles,
  countVotes,
  creditsLeft,
  listBattleHistory,
  listBattles,
  loadJudging,
  readBattle,
  readBattleEvents,
  readBattlePositions,
  readBattleScore,
  readReferences,
  recordJudgement,
  reportJudging,
  setBattleStatus,
  submitEntry,
  updateBattle,
  withdrawContender,
  writeVerdicts,
} from '@lensforge/battles';
import { type Context, encodeCursor, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext, fillDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { indexesOf } from './query-plan-reader.js';

const owner = newId();
const voter = newId();
const ai = newId();

/** 20,000 battles of 1,000 people with 4 contenders each, few of them open or voting; the owner has 200 battles. */
const fill = `
insert into accounts (id, kind, handle, display_name)
  select case i when 1 then '${owner}'::uuid when 2 then '${voter}' else uuidv7() end, 'person', 'a-' || i, 'x'
    from generate_series(1, 1000) i;
insert into accounts (id, kind, handle, display_name, owner_account_id)
  select case when row_number() over () = 1 then '${ai}'::uuid else uuidv7() end, 'agent', 'ai-' || id, 'x', id
    from accounts order by id = '${owner}' desc;
insert into ai_lensers (account_id, instructions, policy, updated_at)
  select id, '', '{"actions":{}}', now() from accounts where kind = 'agent';
insert into battles (id, creator_account_id, title, task_prompt, battle_type, judging_mode, max_contenders, status, blind_key, closed_at)
  select uuidv7(i * interval '1 second'), case when i % 100 = 1 then '${owner}'::uuid else a.id end, 'x', 'x',
         (array['human_vs_ai', 'ai_vs_ai', 'lenser_battle'])[1 + i % 3],
         case when s.status in ('executing', 'voting') then 'community_vote' else 'ai_judge' end, 26, s.status, '', case when i % 40 < 30 then now() end
    from (select id, row_number() over (order by handle) as n from accounts where kind = 'person') a
    join generate_series(1, 20000) i on a.n = 1 + i % 1000,
         lateral (select case i % 40 when 1 then 'draft' when 2 then 'open' when 3 then 'executing' when 4 then 'voting' when 5 then 'scoring'
                                     when 6 then 'archived' when 7 then 'closed' else 'published' end as status) s;
insert into battle_contenders (id, battle_id, slot_label, display_name, contender_type, lenser_account_id, owner_account_id)
  select uuidv7(), b.id, chr(64 + n), 'x', 'human', a.id, a.id
    from (select id, row_number() over (order by id) as i from battles) b cross join generate_series(1, 4) n
    join (select id, row_number() over (order by handle) as m from accounts where kind = 'person') a on a.m = 1 + (b.i * 7 + n * 13) % 1000;
insert into battle_submissions (contender_id, battle_id, content_text) select id, battle_id, 'A text' from battle_contenders;
insert into battle_judgements (battle_id, item, run_id, judgement, reasoning, judge)
  select id, n::text, uuidv7(), '{}', '', 'offline' from battles, generate_series(1, 6) n;
insert into battle_votes (battle_id, account_id, ranking, entry_order, counted)
  select b.id, a.id, '[]', '{}', row_number() over () % 50 > 0
    from battles b cross join (select id from accounts where kind = 'person' and id <> '${voter}' limit 40) a
   where b.status in ('voting', 'scoring', 'published') and b.id::text > '8' or b.status in ('voting', 'scoring');
insert into battle_events (battle_id, sequence, type, payload)
  select id, n, 'votes.counted', '{"votes": 1}' from battles, generate_series(1, 5) n;
insert into battle_verdicts (contender_id, battle_id, verdict, score, reasoning)
  select id, battle_id, 'x', 0.5, '' from battle_contenders;
update battles set last_sequence = 5;
update battles set judging_run_id = uuidv7() where status in ('scoring', 'closed', 'published');
insert into runs (id, request_id, account_id, kind, workflow_id, workflow_version_id, status, params, deadline_at, completed_at)
  select judging_run_id, uuidv7(), creator_account_id, 'workflow', uuidv7(), uuidv7(), 'succeeded', '{}', now(), now()
    from battles where judging_run_id is not null limit 3000`;

let database: TestDatabase;
let source: DataSource;
let draft: string;
let open: string;
let voting: string;
let executing: string;
let scoring: string;
let published: string;
let contender: string;
let entry: string;
let author: string;
let judged: { battleId: string; runId: string; attempt: number };
let cursor: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  await fillDatabase(database.url, fill);
  const one = async (sql: string) => (await source.query<[{ id: string }]>(sql))[0].id;
  const inStatus = (status: string) => one(`select id from battles where status = '${status}' order by id limit 1`);
  [draft, open, voting] = [await inStatus('draft'), await inStatus('open'), await inStatus('voting')];
  [executing, scoring] = [await inStatus('executing'), await inStatus('scoring')];
  published = await inStatus('published');
  [{ id: entry, author }] = await source.query<[{ id: string; author: string }]>(
    `select id, owner_account_id as author from battle_contenders where battle_id = '${executing}' limit 1`,
  );
  contender = await one(`select id from battle_contenders where battle_id = '${open}' limit 1`);
  const [run] = await source.query<[{ battleId: string; runId: string }]>(
    `select id as "battleId", judging_run_id as "runId" from battles where status = 'scoring' order by id limit 1`,
  );
  judged = { ...run, attempt: 0 };
  cursor = encodeCursor({ at: '2026-11-21T09:30:00Z', id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' });
});
afterAll(() => database.close());

const as = (accountId: string, { db }: Context): Context => aContext(db, { credential: 'session', accountId });
const limit = 20;

const ofBattles = /^(battles|bitmap) by battles_(pkey|creator|status|type)$/;
const ofContenders = /^(battle_contenders|bitmap) by battle_contenders_(slot|lenser|owner|pkey|entry)$/;
const ofSubmissions = /^(battle_submissions|bitmap) by battle_submissions_(battle|pkey)$/;
const ofJudging = /^(battle_judgements|runs|bitmap) by (battle_judgements_pkey|runs_(pkey|parent|running))$/;
const ofLensers = /^(accounts|ai_lensers|bitmap) by (accounts|ai_lensers)_pkey$/;
const ofVotes = /^(battle_votes|bitmap) by battle_votes_(pkey|uncounted|log)$/;
const ofVerdicts = /^(battle_verdicts|bitmap) by battle_verdicts_(pkey|battle)$/;
const ofEvents = /^(battle_events|bitmap) by battle_events_pkey$/;
const ofList = [ofBattles, ofContenders];
const ofOne = [...ofList, ofSubmissions, ofJudging, ofLensers];

const calls: [string, (ctx: Context) => Promise<unknown>, RegExp[]][] = [
  ['listing battles', (ctx) => listBattles(as(owner, ctx), { limit }), ofList],
  ['listing more battles', (ctx) => listBattles(as(owner, ctx), { limit, cursor, offset: 40 }), ofList],
  ['listing those of a type', (ctx) => listBattles(as(owner, ctx), { limit, battleType: 'lenser_battle' }), ofList],
  ['listing those in a status', (ctx) => listBattles(as(owner, ctx), { limit, status: 'voting' }), ofList],
  ['listing those of a creator', (ctx) => listBattles(as(voter, ctx), { limit, creatorId: owner }), ofList],
  ['listing all of them', (ctx) => listBattles(ctx, { limit }), ofList],
  ['counting battles', (ctx) => countBattles(as(owner, ctx), { battleType: 'human_vs_ai' }), ofList],
  ['listing a history', (ctx) => listBattleHistory(as(owner, ctx), { limit }), ofList],
  ['listing that of another', (ctx) => listBattleHistory(as(voter, ctx), { limit, lenserId: owner, cursor }), ofList],
  ['counting a history', (ctx) => countBattleHistory(as(voter, ctx), { lenserId: owner }), ofList],
  ['reading a battle to vote', (ctx) => readBattle(as(voter, ctx), voting), ofOne],
  [
    'reading a battle with its lensers',
    async (ctx) => readReferences(ctx, await readBattle(as(voter, ctx), published)),
    ofOne,
  ],
  [
    'adding a contender',
    (ctx) => {
      const human = { displayName: 'x', contenderType: 'human', contenderRefId: voter } as const;
      return addContender(ctx, { battleId: open, ...human });
    },
    ofOne,
  ],
  [
    'adding an AI contender with a judge',
    async (ctx) => {
      await ctx.db.query(`update battles set ai_judge_model_key = 'offline/echo' where id = $1`, [open]);
      const lenser = { displayName: 'x', contenderType: 'ai_model', contenderRefId: ai } as const;
      return addContender(ctx, { battleId: open, ...lenser }).catch(() => undefined);
    },
    ofOne,
  ],
  [
    'withdrawing a contender',
    (ctx) => withdrawContender(ctx, { battleId: open, contenderId: contender }),
    [...ofOne, /^battle_verdicts by battle_verdicts_pkey$/],
  ],
  [
    'submitting an answer',
    (ctx) => submitEntry(as(author, ctx), { battleId: executing, contenderId: entry, contentText: 'y' }),
    ofOne,
  ],
  ['casting a vote', (ctx) => castVote(as(voter, ctx), { battleId: voting, tie: true }), ofOne],
  ['counting votes', (ctx) => countVotes(ctx), [...ofOne, ofVotes]],
  ['ending a vote', (ctx) => setBattleStatus(ctx, { battleId: voting, status: 'scoring' }), [...ofOne, ofVotes]],
  [
    'closing a battle',
    (ctx) => setBattleStatus(ctx, { battleId: scoring, status: 'closed', confirm: true }),
    [...ofOne, ofVotes, ofVerdicts],
  ],
  ['advancing answers', (ctx) => advanceBattle(ctx, executing), ofOne],
  ['advancing a judging', (ctx) => advanceBattle(ctx, scoring), [...ofOne, ofEvents]],
  ['reading scores', (ctx) => readBattleScore(as(voter, ctx), published), [...ofOne, ofVerdicts]],
  ['reading events', (ctx) => readBattleEvents(ctx, published, 2, 10), [ofEvents]],
  ['reading the ends of logs', (ctx) => readBattlePositions(ctx, [open, voting]), [ofBattles]],
  ['loading a judging', (ctx) => loadJudging(ctx, judged.battleId), ofOne],
  [
    'recording a judgement',
    (ctx) =>
      recordJudgement(ctx, judged, {
        item: 'pair:a:b',
        judgement: { first: 'a', second: 'b', choice: 'tie', reasoning: '' },
        judge: 'offline',
        promptVersion: null,
        promptHash: null,
        usage: { input: 0, output: 0 },
        cost: 0,
      }),
    ofOne,
  ],
  ['writing verdicts', (ctx) => writeVerdicts(ctx, [{ held: judged, verdicts: [] }]), [...ofOne, ofEvents]],
  ['reporting a judging', (ctx) => reportJudging(ctx, judged.battleId), [...ofOne, ofEvents]],
  [
    'reading what a budget leaves',
    (ctx) =>
      creditsLeft(ctx, { budgetCredits: '1', judgingRunId: judged.runId }, { contenders: [{ answerRunId: newId() }] }),
    ofOne,
  ],
  ['changing a battle', (ctx) => updateBattle(ctx, { battleId: draft, title: 'y' }), ofOne],
];

describe('a query of battles uses an index:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(source, call);
    expect(ways.length).toBeGreaterThan(0);
    for (const way of ways) expect([way, expected.some((one) => one.test(way))]).toEqual([way, true]);
  });
});
