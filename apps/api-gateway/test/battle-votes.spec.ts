import { aBattle, aContender } from '@lensforge/battles/testing';
import { BattleScore, Vote, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken, actingAs } from '@lensforge/identity/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestCaller, aCaller, callerOf, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let ada: TestCaller;
let eve: TestCaller;
let voter: TestCaller;
let reader: TestCaller;
let anonymous: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  [ada, eve, voter] = [await aCaller(gateway), await aCaller(gateway), await aCaller(gateway)];
  anonymous = callerOf(gateway, { token: gateway.anonymousToken() });
  const { accountId } = ada;
  const { value: token } = await aToken(gateway.ctx, { accountId, held: ['community:read'] });
  reader = callerOf(gateway, { accountId, token });
});
afterAll(() => gateway.stop());

const ctxOf = ({ accountId }: TestCaller) => actingAs(gateway.ctx, accountId);

/** A battle of Ada in which Eve and another person have submitted. */
async function aVotingBattle(traits: Parameters<typeof aBattle>[1] = {}): Promise<string> {
  const battle = await aBattle(ctxOf(ada), { battleType: 'human_vs_human_open_votes', status: 'voting', ...traits });
  await aContender(gateway.ctx, battle, { lenserAccountId: eve.accountId, text: 'Waves.' });
  await aContender(gateway.ctx, battle, { text: 'Foam.' });
  return battle.id;
}

const ballotOf = async (by: TestCaller, battleId: string): Promise<string[]> => {
  const { ballot } = (await by.get(`/v1/battles/${battleId}`)).body.data as { ballot: { contenderId: string }[] };
  return ballot.map(({ contenderId }) => contenderId);
};

describe('POST /v1/battles/{battleId}/votes', () => {
  const vote = (by: TestCaller, battleId: string, body: object) => by.post(`/v1/battles/${battleId}/votes`, body);

  it('answers 200 to a winner, a ranking or a tie, with the ids of the ballot', async () => {
    const id = await aVotingBattle();
    const [a = '', b = ''] = await ballotOf(voter, id);
    const votes: [object, string[][]][] = [
      [{ winner: b, comment: 'Salty.' }, [[b], [a]]],
      [{ ranking: [a, b] }, [[a], [b]]],
      [{ tie: true }, [[a, b]]],
    ];
    for (const [body, ranking] of votes) {
      const answer = await vote(voter, id, body);
      expect([answer.status, parse(Vote, answer.body.data)]).toMatchObject([200, { battleId: id, ranking }]);
    }
    expect((await voter.get(`/v1/battles/${id}`)).body.data).toMatchObject({ voteAggregates: [], winner: null });
  });

  it('answers 400, 401, 403, 404, 409, 413 and 415', async () => {
    const id = await aVotingBattle();
    const path = `/v1/battles/${id}/votes`;
    const [a = ''] = await ballotOf(voter, id);
    for (const body of [
      {},
      { winner: newId() },
      { winner: 'x' },
      { winner: a, tie: true },
      { ranking: [] },
      { ranking: [a, a] },
      { tie: false },
      { winner: a, comment: 'x'.repeat(281) },
    ]) {
      expect(outcome(await vote(voter, id, body))).toEqual([400, 'invalid_request']);
    }
    expect((await gateway.call('POST', path, { token: '', body: { tie: true } })).status).toBe(401);
    expect(outcome(await vote(reader, id, { tie: true }))).toEqual([403, 'insufficient_scope']);
    for (const refused of [anonymous, eve]) {
      expect(outcome(await vote(refused, id, { tie: true }))).toEqual([403, 'forbidden']);
    }
    const byAi = await aVotingBattle({ battleType: 'human_vs_human_ai_votes' });
    expect(outcome(await vote(voter, byAi, { tie: true }))).toEqual([403, 'forbidden']);
    const scoring = await aVotingBattle({ status: 'scoring' });
    for (const hidden of [newId(), scoring]) {
      expect(outcome(await vote(voter, hidden, { tie: true }))).toEqual([404, 'not_found']);
    }
    expect(outcome(await vote(ada, scoring, { tie: true }))).toEqual([409, 'conflict']);
    expect((await vote(voter, id, { tie: true, comment: 'x'.repeat(300_000) })).status).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    expect((await gateway.call('POST', path, { token: voter.token, body: '{}', headers })).status).toBe(415);
  });
});

describe('GET /v1/battles/{battleId}/score', () => {
  it('answers 200 with votes and winner after the closing, also to anonymous callers once it is published', async () => {
    const id = await aVotingBattle();
    const names = (await ada.get(`/v1/battles/${id}`)).body.data as { contenders: { id: string }[] };
    const [first = ''] = names.contenders.map((contender) => contender.id);
    const texts = (await voter.get(`/v1/battles/${id}`)).body.data as {
      ballot: { contenderId: string; contentText: string }[];
    };
    const winner = texts.ballot.find(({ contentText }) => contentText === 'Waves.')?.contenderId;
    expect((await voter.post(`/v1/battles/${id}/votes`, { winner })).status).toBe(200);
    const open = await voter.get(`/v1/battles/${id}/score`);
    expect(parse(BattleScore, open.body.data)).toEqual({
      battleId: id,
      voteAggregates: [],
      aiJudgeVerdicts: [],
      judging: null,
      winner: null,
    });
    for (const status of ['scoring', 'closed', 'published']) {
      await ada.post(`/v1/battles/${id}/status`, { status, confirm: true });
    }
    for (const caller of [ada, voter, anonymous]) {
      const answer = await caller.get(`/v1/battles/${id}/score`);
      expect([answer.status, parse(BattleScore, answer.body.data)]).toMatchObject([
        200,
        { winner: first, voteAggregates: [{ contenderId: first, voteCount: 1, voteScore: 1 }, { voteCount: 0 }] },
      ]);
    }
  });

  it('answers 400, 401, 403 and 404', async () => {
    const id = await aVotingBattle({ status: 'scoring' });
    expect((await ada.get('/v1/battles/x/score')).status).toBe(400);
    expect((await gateway.call('GET', `/v1/battles/${id}/score`, { token: '' })).status).toBe(401);
    const { value: token } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['lenses:read'] });
    expect(outcome(await callerOf(gateway, { token }).get(`/v1/battles/${id}/score`))).toEqual([
      403,
      'insufficient_scope',
    ]);
    for (const hidden of [id, newId()]) {
      expect(outcome(await voter.get(`/v1/battles/${hidden}/score`))).toEqual([404, 'not_found']);
    }
  });
});
