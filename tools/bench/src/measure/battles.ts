import { createHash } from 'node:crypto';
import type { Battle } from '@lensforge/contracts';
import type { Call } from '../load/connection.js';
import { alternate, rowOf } from '../report/rounds.js';
import type { Row, Side } from '../report/row.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';
import { acceptAndFinish, allEnded } from './run-through.js';

const connections = 32;
const warmMs = 400;
const voterCount = 250;
const votedBattles = 20;
const creator = 'bob';
const entriesEach = 4;

const tables =
  'battles, battle_contenders, battle_submissions, battle_votes, battle_judgements, battle_verdicts, battle_events, baseline_votes';

const people = `
with made as (
  insert into accounts (id, kind, handle, display_name)
  select uuidv7(), 'person', 'voter-' || i, 'x' from generate_series(0, ${voterCount - 1}) i returning id, handle
), tokens as (
  insert into api_tokens (id, kind, hash, prefix, account_id, label, scopes)
  select uuidv7(), 'developer', sha256(('lf_dev_' || encode(sha256(handle::bytea), 'hex'))::bytea), 'lf_dev_xxxxx', id, 'x',
         '{community:write}' from (select id, handle from made union all select id, handle from accounts where handle = '${creator}') t
)
insert into accounts (id, kind, handle, display_name)
  select uuidv7(), 'person', 'contestant-' || i, 'x' from generate_series(0, ${entriesEach - 1}) i`;

const tokenOf = (handle: string): string => `lf_dev_${createHash('sha256').update(handle).digest('hex')}`;
const tokenOfVoter = (voter: number): string => tokenOf(`voter-${voter}`);

/** Battles of the second demo user, with texts of about 100 words. */
const fill = `
with made as (
  insert into battles (id, creator_account_id, title, task_prompt, battle_type, judging_mode, max_contenders, status, blind_key, closed_at, published_at)
  select uuidv7(), (select id from accounts where handle = '${creator}'), 'Battle ' || i, 'Describe the harbour at night in a few sentences.',
         'human_vs_human_open_votes', $2, ${entriesEach}, $3, sha256(i::text::bytea),
         case when $3 = 'published' then now() end, case when $3 = 'published' then now() end
    from generate_series(1, $1::int) i returning id
), entered as (
  insert into battle_contenders (id, battle_id, slot_label, display_name, contender_type, lenser_account_id, owner_account_id)
  select uuidv7(), m.id, chr(65 + n), 'Contender ' || n, 'human', a.id, a.id
    from made m, generate_series(0, $4::int - 1) n join accounts a on a.handle = 'contestant-' || n
  returning id, battle_id
), submitted as (
  insert into battle_submissions (contender_id, battle_id, content_text)
  select id, battle_id, (select string_agg(substr(md5(id::text || w), 1, 3 + w % 5), ' ') from generate_series(1, 100) w) from entered
)
select id from made`;

/** Votes and readings against a floor of one statement each, and judgings against runs of a lens. */
export const measureBattles: Measure = async (setup, options) => {
  const { db } = setup;
  await setup.workers(1);
  await setup.baseline.start('battles');
  await db.query(people);
  const battles = async (count: number, mode: string, status: string, entries = entriesEach): Promise<string[]> =>
    (await db.query<{ id: string }>(fill, [count, mode, status, entries])).rows.map(({ id }) => id);
  const voting = await battles(votedBattles, 'community_vote', 'voting');
  const [published = ''] = await battles(1, 'community_vote', 'published');
  const judged = await battles(options.runs, 'ai_judge', 'voting', 2);
  await db.query(`vacuum (analyze) ${tables}`);
  try {
    return [
      ...(await measureVotes(setup, options, voting)),
      ...(await measureReading(setup, options, { voting: voting[0] ?? '', published })),
      ...(await measureJudgings(setup, options, judged)),
    ];
  } finally {
    await setup.baseline.stop('battles');
    await db.query(`truncate ${tables} cascade`);
  }
};

type Options = Parameters<Measure>[1];

const portOf = ({ platform }: BenchPlatform): number => Number(new URL(platform.urlOf('api-gateway')).port);
const bearer = (token = ''): Record<string, string> => ({ authorization: `Bearer ${token}` });

async function measureVotes(setup: BenchPlatform, { rounds }: Options, battleIds: readonly string[]): Promise<Row[]> {
  const { rows } = await setup.db.query<{ id: string }>(
    `select id from accounts where handle like 'voter-%' order by substr(handle, 7)::int`,
  );
  const calls: Record<Side, Call[]> = { ours: [], baseline: [] };
  for (const battleId of battleIds) {
    const ballots = await Promise.all(rows.map((_, voter) => ballotOf(setup, battleId, voter)));
    for (const [voter, ranking] of ballots.entries()) {
      const vote = { method: 'POST', body: JSON.stringify({ ranking }), status: 200 } as const;
      const [ours, theirs] = [bearer(tokenOfVoter(voter)), { 'x-account': rows[voter]?.id ?? '' }];
      const theirPort = setup.baseline.portOf('battles');
      calls.ours.push({ ...vote, port: portOf(setup), path: `/v1/battles/${battleId}/votes`, headers: ours });
      calls.baseline.push({ ...vote, port: theirPort, path: `/battles/${battleId}/votes`, headers: theirs });
    }
  }
  for (const side of ['ours', 'baseline'] as const) calls[side] = mixed(calls[side]);
  const voteOnce = async (side: Side) => {
    await setup.db.query('truncate battle_votes, battle_events, baseline_votes');
    await setup.db.query('update battles set vote_count = 0, last_sequence = 0 where vote_count > 0');
    await setup.db.query('checkpoint');
    return watched(setup, () => setup.load.carryOut({ kind: 'each', calls: calls[side], connections }));
  };
  await voteOnce('ours');
  await voteOnce('baseline');
  const found = await alternate(rounds, async (side) => {
    const { outcome, cores } = await voteOnce(side);
    return { votes: finding(calls[side].length / (outcome.ms / 1000), cores) };
  });
  const counted = await setup.db.query<{ votes: number }>('select count(*)::int as votes from battle_votes');
  const stored = await setup.db.query<{ votes: number }>('select count(*)::int as votes from baseline_votes');
  if ((counted.rows[0]?.votes ?? 0) + (stored.rows[0]?.votes ?? 0) !== calls.ours.length)
    throw new Error('votes are lost');
  const group = 'Votes a second, each of another voter or battle (baseline: one INSERT a vote)';
  const target = { of: 'ratio', least: 0.5 } as const;
  return [rowOf({ group, name: `${connections} connections`, unit: '/s', target }, found, 'votes')];
}

/** The same calls in an order in which voters and battles alternate. */
const mixed = (calls: readonly Call[]): Call[] => calls.map((_, n) => calls[(n * 7919) % calls.length] as Call);

async function ballotOf(setup: BenchPlatform, battleId: string, voter: number): Promise<string[]> {
  const url = `${setup.platform.urlOf('api-gateway')}/v1/battles/${battleId}`;
  const answer = await fetch(url, { headers: bearer(tokenOfVoter(voter)) });
  const { data } = (await answer.json()) as { data: Battle };
  return (data.ballot ?? []).map(({ contenderId }) => contenderId);
}

async function measureReading(
  setup: BenchPlatform,
  { rounds, seconds }: Options,
  battleIds: Record<'published' | 'voting', string>,
): Promise<Row[]> {
  const callOf = (side: Side, battleId: string): Call =>
    side === 'ours'
      ? {
          port: portOf(setup),
          method: 'GET',
          path: `/v1/battles/${battleId}`,
          headers: bearer(tokenOfVoter(0)),
          status: 200,
        }
      : { port: setup.baseline.portOf('battles'), method: 'GET', path: `/battles/${battleId}`, status: 200 };
  const read = (call: Call, ms: number) =>
    watched(setup, () => setup.load.carryOut({ kind: 'closed', call, connections, warmMs, ms }));
  const names = Object.keys(battleIds) as (keyof typeof battleIds)[];
  for (const side of ['ours', 'baseline'] as const) {
    for (const name of names) await read(callOf(side, battleIds[name]), 3000);
  }
  const found = await alternate(rounds, async (side) => {
    const sample: Record<string, ReturnType<typeof finding>> = {};
    for (const name of names) {
      const { outcome, cores } = await read(callOf(side, battleIds[name]), seconds * 1000);
      sample[name] = finding(outcome.answered / (outcome.ms / 1000), cores);
    }
    return sample;
  });
  const about = { group: 'Battles read a second, of 4 contenders (baseline: one SELECT)', unit: '/s' } as const;
  return [
    rowOf({ ...about, name: 'published' }, found, 'published'),
    rowOf({ ...about, name: 'voting, with a ballot' }, found, 'voting'),
  ];
}

/** Judgings by the offline judge, from the move to scoring to the end of the run; the baseline executes a lens instead. */
async function measureJudgings(
  setup: BenchPlatform,
  { rounds }: Options,
  battleIds: readonly string[],
): Promise<Row[]> {
  const { ours } = setup.subjects;
  const headers = bearer(tokenOf(creator));
  const calls = battleIds.map((battleId): Call => {
    const path = `/v1/battles/${battleId}/status`;
    return { port: portOf(setup), method: 'POST', path, headers, body: '{"status":"scoring"}', status: 200 };
  });
  const judgeAll = async (): Promise<number> => {
    const since = performance.now();
    await setup.load.carryOut({ kind: 'each', calls, connections });
    await allEnded(ours, calls.length);
    return (performance.now() - since) / 1000;
  };
  const once = async (side: Side) => {
    await setup.clear();
    await setup.db.query('truncate battle_judgements, battle_verdicts, battle_events');
    await setup.db.query(
      `update battles set status = 'voting', judging_run_id = null, judging_total = 0, last_sequence = 0 where status = 'scoring'`,
    );
    await setup.db.query('vacuum battles');
    return watched(setup, side === 'ours' ? judgeAll : () => acceptAndFinish(setup, ours, calls.length));
  };
  await once('ours');
  const { rows } = await setup.db.query<{ verdicts: number }>('select count(*)::int as verdicts from battle_verdicts');
  if (rows[0]?.verdicts !== 2 * calls.length)
    throw new Error(`${rows[0]?.verdicts} verdicts of ${calls.length} battles`);
  await once('baseline');
  const found = await alternate(rounds, async (side) => {
    const { outcome, cores } = await once(side);
    return { judgings: finding(calls.length / outcome, cores) };
  });
  const group = 'Judgings a second by the offline judge, 2 contenders, one worker (baseline: runs of a lens)';
  const target = { of: 'ratio', least: 0.6 } as const;
  return [
    rowOf({ group, name: `end to end: ${calls.length} started, judged, ended`, unit: '/s', target }, found, 'judgings'),
  ];
}
