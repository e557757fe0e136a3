import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aBattle, aContender, aPublishedBattle, aVote, refitNow } from '@lensforge/battles/testing';
import { LeaderboardEntry, LeaderboardFit, LoggedVote, parse } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { aToken, actingAs } from '@lensforge/identity/testing';
import { type TestCaller, aCaller, callerOf, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let creator: TestCaller;
let stranger: TestCaller;
let ctx: Context;
const path = '/v1/leaderboards/ai_vs_ai';
const lenses = { Ada: newId(), Ben: newId(), Cleo: newId() };

beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_RATE_EXPENSIVE_PER_MINUTE: '30' });
  [creator, stranger] = [await aCaller(gateway), await aCaller(gateway)];
  ctx = actingAs(gateway.ctx, creator.accountId);
  await aPublishedBattle(ctx, ['Ada', 'Ben'], {
    lenses,
    texts: { Ada: 'Many words, and more of them.', Ben: '- few' },
    votes: [...Array<string[][]>(8).fill([['Ada'], ['Ben']]), [['Ada', 'Ben']], [['Ben'], ['Ada']]],
    scores: { Ada: 0.5, Ben: 0.9 },
  });
  await aPublishedBattle(ctx, ['Ada', 'Ben', 'Cleo'], {
    lenses,
    texts: { Cleo: '# Words' },
    votes: [
      [['Ben'], ['Ada', 'Cleo']],
      [['Ben'], ['Cleo'], ['Ada']],
      [['Cleo'], ['Ben'], ['Ada']],
    ],
  });
  await aPublishedBattle(ctx, ['Ada', 'Ben'], { lenses, status: 'closed', votes: [[['Ben'], ['Ada']]] });
  await refitNow(ctx, 'ai_vs_ai');
});
afterAll(() => gateway.stop());

const tokenOf = async (held: Parameters<typeof aToken>[1]['held'] = []) =>
  (await aToken(gateway.ctx, { accountId: stranger.accountId, held })).value;

async function expectRefusals(route: string): Promise<void> {
  expect((await gateway.call('GET', route, { token: '' })).status).toBe(401);
  expect(outcome(await gateway.call('GET', route, { token: await tokenOf(['lenses:read']) }))).toEqual([
    403,
    'insufficient_scope',
  ]);
  for (const bad of [
    `${route}?source=x`,
    `${route}?covariates=x`,
    `${route}?x=1`,
    route.replace('ai_vs_ai', 'chess'),
  ]) {
    expect([bad, ...outcome(await stranger.get(bad))]).toEqual([bad, 400, 'invalid_request']);
  }
}

describe('GET /v1/leaderboards/{battleType}', () => {
  it('answers 200 with the contenders of published battles by rank, also to anonymous callers', async () => {
    for (const caller of [stranger, callerOf(gateway, { token: gateway.anonymousToken() })]) {
      const answer = await caller.get(path);
      expect(answer.status).toBe(200);
      expect(answer.body.meta).toMatchObject({ total: 3, limit: 20, offset: 0, hasNextPage: false });
      const entries = items(answer).map((entry) => parse(LeaderboardEntry, entry));
      expect(entries.map(({ displayName, rank, kind, component }) => [displayName, rank, kind, component])).toEqual([
        ['Ada', 1, 'lens', 1],
        ['Cleo', expect.any(Number), 'lens', 1],
        ['Ben', expect.any(Number), 'lens', 1],
      ]);
      const [ada] = entries;
      expect(ada).toMatchObject({ contender: lenses.Ada, wins: 8, ties: 1, losses: 6, votes: 13 });
      expect(ada!.interval.low).toBeLessThan(ada!.strength);
      expect(ada!.eloInterval.high).toBeGreaterThan(ada!.elo);
    }
  });

  it('answers 200 with verdicts of judges, and with both, on request', async () => {
    const firstOf = async (source: string) =>
      items(await stranger.get(`${path}?source=${source}&limit=1`))[0]!['displayName'];
    expect([await firstOf('votes'), await firstOf('judges')]).toEqual(['Ada', 'Ben']);
    expect((await stranger.get(`${path}?source=judges`)).body.meta).toMatchObject({ total: 2 });
    expect((await stranger.get(`${path}?source=all`)).body.meta).toMatchObject({ total: 3 });
  });

  it('answers 200 with an empty list before the first battle is published', async () => {
    const answer = await stranger.get('/v1/leaderboards/workflow_battle');
    expect([answer.status, items(answer), answer.body.meta]).toMatchObject([200, [], { total: 0 }]);
  });

  it('answers 400, 401 and 403', () => expectRefusals(path));
});

describe('GET /v1/leaderboards/{battleType}/fit', () => {
  it('answers 200 with the parameters of the fit and the fragility of first place', async () => {
    const { status, body } = await stranger.get(`${path}/fit`);
    expect(status).toBe(200);
    const fit = parse(LeaderboardFit, body.data);
    expect(fit).toMatchObject({
      contenders: 3,
      fit: { ridge: 0.25, votes: 13, converged: true, bootstraps: 200, seed: 1 },
      effects: [],
      components: [{ component: 1, contenders: 3, votes: 13 }],
      fragility: { first: [lenses.Ada] },
    });
    const { votes, removed, statement } = fit.fragility;
    expect(removed.reduce((sum, { count }) => sum + count, 0)).toBe(votes);
    expect(statement).toContain(`Without ${votes!} of its 13 votes`);
  });

  it('answers 200 with the effects of length and format on request', async () => {
    const { body } = await stranger.get(`${path}/fit?covariates=style`);
    expect(body.data?.['effects']).toMatchObject([{ covariate: 'length' }, { covariate: 'format' }]);
  });

  it('answers 404 before the first battle is published', async () => {
    expect(outcome(await stranger.get('/v1/leaderboards/workflow_battle/fit'))).toEqual([404, 'not_found']);
  });

  it('answers 400, 401 and 403', () => expectRefusals(`${path}/fit`));
});

describe('GET /v1/leaderboards/{battleType}/votes', () => {
  const download = async (query = ''): Promise<{ type: string | null; text: string }> => {
    const answer = await fetch(`${gateway.url}${path}/votes${query}`, {
      headers: { authorization: `Bearer ${gateway.anonymousToken()}` },
    });
    expect(answer.status).toBe(200);
    return { type: answer.headers.get('content-type'), text: await answer.text() };
  };

  it('answers 200 with a line for each vote, without voters', async () => {
    const { type, text } = await download();
    expect(type).toBe('application/x-ndjson; charset=utf-8');
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(13);
    for (const line of lines) {
      const vote = JSON.parse(line) as LoggedVote;
      parse(LoggedVote, vote);
      expect(Object.keys(vote)).toEqual(['battle', 'contenders', 'ranking', 'at']);
      expect(vote.at).toMatch(/T00:00:00\.000Z$/);
    }
  });

  it('answers 200 with votes from which npm run ratings computes the same leaderboard, bit for bit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lensforge-votes-'));
    try {
      for (const query of ['?source=votes', '?source=all&covariates=style']) {
        const file = join(folder, 'votes.ndjson');
        await writeFile(file, (await download(query)).text);
        const script = join(import.meta.dirname, '..', '..', '..', 'tools', 'ratings.mjs');
        const { stdout } = await promisify(execFile)(process.execPath, [script, file, '--seed=1']);
        const computed = JSON.parse(stdout) as Record<string, unknown>;
        const entries = items(await stranger.get(`${path}${query}`));
        expect(computed['ratings']).toEqual(entries.map(({ kind: _, displayName: __, ...entry }) => entry));
        const { body } = await stranger.get(`${path}/fit${query}`);
        const { ratings: _, ...rest } = computed;
        expect(body.data).toMatchObject(rest);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('reads votes only as fast as the client does', async () => {
    const { battle, ids } = await aPublishedBattle(ctx, ['Max', 'Mia'], { battleType: 'lenser_battle' });
    // Ten statements, since one could exceed the time limit of statements on a busy machine.
    for (let part = 0; part < 10; part += 1) {
      await gateway.ctx.db.query(
        `insert into battle_votes (battle_id, account_id, ranking, entry_order)
         select $1, gen_random_uuid(), jsonb_build_array(jsonb_build_array($2::text)), '{}' from generate_series(1, 20000)`,
        [battle.id, ids['Max']],
      );
    }
    const readRows = async (): Promise<number> => {
      const [row] = await gateway.ctx.db.query<[{ rows: number }]>(
        `select idx_tup_fetch::int as rows from pg_stat_user_tables where relname = 'battle_votes'`,
      );
      return row.rows;
    };
    const before = await readRows();
    const url = `${gateway.url}/v1/leaderboards/lenser_battle/votes`;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${gateway.anonymousToken()}` };
      get(url, { headers }, resolve).once('error', reject);
    });
    // The client reads nothing for longer than the gateway needs for all votes, and longer than a response may take.
    await pause(8000);
    expect((await readRows()) - before).toBeLessThan(100_000);
    let lines = 0;
    for await (const part of answer) for (const byte of part as Buffer) if (byte === 10) lines += 1;
    expect(lines).toBe(200_000);
    // Each part begins where the one before ended.
    expect((await readRows()) - before).toBeLessThan(250_000);
  });

  it('answers 400, 401 and 403', () => expectRefusals(`${path}/votes`));

  it('answers 429 above the limit of the class', async () => {
    const { token } = await aCaller(gateway);
    const statuses = new Set<number>();
    for (let n = 0; n < 31; n += 1) {
      const answer = await fetch(`${gateway.url}/v1/leaderboards/human_vs_ai/votes`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.body?.cancel();
      statuses.add(answer.status);
    }
    expect([...statuses]).toEqual([200, 429]);
  });
});

describe('GET /v1/battles/next', () => {
  const aVotableBattle = async (names: readonly string[], known: Record<string, string> = {}) => {
    const battle = await aBattle(ctx, { status: 'voting' });
    for (const displayName of names) {
      const lensId = known[displayName];
      await aContender(ctx, battle, { displayName, text: displayName, ...(lensId !== undefined && { lensId }) });
    }
    return battle;
  };

  it('answers 404 when there is no battle to vote in', async () => {
    expect(outcome(await stranger.get('/v1/battles/next'))).toEqual([404, 'not_found']);
  });

  it('answers 200 with the battle whose vote adds most to the ratings, until the caller has voted in all', async () => {
    const voter = await aCaller(gateway);
    const [known, unknown] = [await aVotableBattle(['Ada', 'Ben'], lenses), await aVotableBattle(['Yan', 'Zoe'])];
    const single = await aVotableBattle(['Solo']);
    const crowded = await aVotableBattle(['Uma', 'Vic']);
    await gateway.ctx.db.query('update battles set vote_count = 500 where id = $1', [crowded.id]);
    const next = async () => (await voter.get('/v1/battles/next')).body.data as { id: string } | undefined;

    const first = await next();
    expect(first).toMatchObject({ id: unknown.id, status: 'voting', ballot: [expect.any(Object), expect.any(Object)] });
    expect(JSON.stringify(first)).not.toMatch(/"displayName":"(Yan|Zoe)"/);
    expect((await next())?.id).toBe(unknown.id);
    const seen: string[] = [];
    for (let open = await next(); open; open = await next()) {
      seen.push(open.id);
      await aVote(ctx, open, [], voter.accountId);
    }
    expect(seen).toEqual([unknown.id, known.id, crowded.id]);
    expect(seen).not.toContain(single.id);
  });

  it('answers 200 with no battle of the caller’s contenders', async () => {
    const participant = await aCaller(gateway);
    const battle = await aBattle(ctx, { status: 'voting' });
    await aContender(ctx, battle, { lenserAccountId: participant.accountId, text: 'a' });
    await aContender(ctx, battle, { text: 'b' });
    const { status, body } = await participant.get('/v1/battles/next');
    expect(status).toBe(200);
    expect(body.data?.['id']).not.toBe(battle.id);
  });

  it('answers 200 only to voters of the kind that the battle needs', async () => {
    const voter = await aCaller(gateway);
    await gateway.ctx.db.query(`update battles set status = 'closed' where status = 'voting'`);
    const battle = await aBattle(ctx, { status: 'voting', battleType: 'human_vs_human_ai_votes' });
    for (const text of ['a', 'b']) await aContender(ctx, battle, { text });
    expect((await voter.get('/v1/battles/next')).status).toBe(404);
  });

  it('answers 400, 401 and 403', async () => {
    expect((await stranger.get('/v1/battles/next?x=1')).status).toBe(400);
    expect((await gateway.call('GET', '/v1/battles/next', { token: '' })).status).toBe(401);
    expect((await gateway.call('GET', '/v1/battles/next', { token: gateway.anonymousToken() })).status).toBe(403);
    expect((await gateway.call('GET', '/v1/battles/next', { token: await tokenOf(['lenses:read']) })).status).toBe(403);
  });
});
