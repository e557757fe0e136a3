import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  aBattle,
  aBlindBattle,
  aContender,
  blindnessCases,
  knowledgeIn,
  permittedKnowledge,
} from '@lensforge/battles/testing';
import { Battle, BattleSummary, Contender, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken, actingAs, anAiLenser } from '@lensforge/identity/testing';
import { type TestCaller, aCaller, allPages, callerOf, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let ada: TestCaller;
let stranger: TestCaller;
let anonymous: TestCaller;
let reader: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  [ada, stranger] = [await aCaller(gateway), await aCaller(gateway)];
  anonymous = callerOf(gateway, { token: gateway.anonymousToken() });
  const { accountId } = ada;
  const { value: token } = await aToken(gateway.ctx, { accountId, held: ['community:read'] });
  reader = callerOf(gateway, { accountId, token });
});
afterAll(() => gateway.stop());

const task = { title: 'Haiku', taskPrompt: 'Write a haiku about the sea.' };
const ctxOf = ({ accountId }: TestCaller) => actingAs(gateway.ctx, accountId);
const created = async (by: TestCaller, more: object = {}): Promise<Battle> => {
  const answer = await by.post('/v1/battles', { ...task, ...more });
  expect(outcome(answer)).toEqual([201, undefined]);
  return parse(Battle, answer.body.data);
};
const plainText = { 'content-type': 'text/plain' };
const large = { ...task, taskPrompt: 'x'.repeat(300_000) };

describe('POST /v1/battles', () => {
  it('answers 201 with a draft of the caller', async () => {
    const rubric = [{ name: 'Rhythm', weight: 2, description: 'Is it a haiku?' }];
    const settings = { judgingMode: 'rubric_score', maxContenders: 5, budgetCredits: 100, rubric };
    const battle = await created(ada, settings);
    expect(battle).toMatchObject({ ...task, ...settings, status: 'draft', creatorId: ada.accountId });
    expect(parse(Battle, (await ada.get(`/v1/battles/${battle.id}`)).body.data)).toEqual(battle);
  });

  it('answers 201 to an organisation token, for its community', async () => {
    const { value: token } = await aToken(gateway.ctx, { kind: 'organisation', accountId: stranger.accountId });
    expect((await created(callerOf(gateway, { token }))).creatorId).toBe(stranger.accountId);
  });

  it.each([
    ['no title', { title: undefined }],
    ['a title of blanks', { title: ' ' }],
    ['a title too long', { title: 'x'.repeat(201) }],
    ['no task', { taskPrompt: undefined }],
    ['a task too long', { taskPrompt: 'x'.repeat(32_001) }],
    ['an unknown type', { battleType: 'duel' }],
    ['an unknown mode', { judgingMode: 'dice' }],
    ['one contender', { maxContenders: 1 }],
    ['27 contenders', { maxContenders: 27 }],
    ['an unknown judge', { aiJudgeModelKey: 'nobody' }],
    ['an empty rubric', { rubric: [] }],
    ['a rubric with a name twice', { rubric: [{ name: 'a' }, { name: 'A' }] }],
    ['a check without a value', { checks: [{ kind: 'equals' }] }],
    ['a check with an invalid value', { checks: [{ kind: 'max_length', value: 'ten' }] }],
    ['a negative budget', { budgetCredits: -1 }],
    ['a status', { status: 'open' }],
  ])('answers 400 to %s', async (_, change) => {
    expect(outcome(await ada.post('/v1/battles', { ...task, ...change }))).toEqual([400, 'invalid_request']);
  });

  it('answers 401, 403, 413 and 415', async () => {
    expect((await gateway.call('POST', '/v1/battles', { token: '', body: task })).status).toBe(401);
    expect(outcome(await reader.post('/v1/battles', task))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await anonymous.post('/v1/battles', task))).toEqual([403, 'forbidden']);
    expect((await ada.post('/v1/battles', large)).status).toBe(413);
    const { token } = ada;
    expect((await gateway.call('POST', '/v1/battles', { token, body: '{}', headers: plainText })).status).toBe(415);
  });
});

describe('GET /v1/battles', () => {
  it('answers 200 with own battles and published ones, newest first, in pages', async () => {
    const [caller, other] = [await aCaller(gateway), await aCaller(gateway)];
    const mine = await created(caller);
    const hidden = await aBattle(ctxOf(other), { status: 'open' });
    const published = await aBattle(ctxOf(other), { status: 'published', battleType: 'lenser_battle' });
    const joined = await aBattle(ctxOf(other), { status: 'executing' });
    await aContender(gateway.ctx, joined, { lenserAccountId: caller.accountId });
    const { items: found } = await allPages(caller.get, '/v1/battles', 2);
    const ids = found.map((each) => parse(BattleSummary, each).id);
    expect(ids.filter((id) => [mine.id, hidden.id, published.id, joined.id].includes(id))).toEqual([
      joined.id,
      published.id,
      mine.id,
    ]);
    const listed = async (by: TestCaller, query: string) =>
      items(await by.get(`/v1/battles?${query}`)).map(({ id }) => id);
    expect(await listed(caller, 'status=executing')).toEqual([joined.id]);
    expect(await listed(caller, `creatorId=${other.accountId}`)).toEqual([joined.id, published.id]);
    expect(await listed(caller, `creatorId=${other.accountId}&battleType=lenser_battle`)).toEqual([published.id]);
    expect(await listed(anonymous, `creatorId=${other.accountId}`)).toEqual([published.id]);
    const { meta } = (await caller.get(`/v1/battles?creatorId=${other.accountId}&limit=1`)).body;
    expect(meta).toMatchObject({ total: 2, limit: 1, offset: 0, hasNextPage: true });
  });

  it('answers 400, 401 and 403', async () => {
    for (const query of ['status=lost', 'battleType=duel', 'creatorId=x', 'limit=0', 'cursor=x']) {
      expect(outcome(await ada.get(`/v1/battles?${query}`))).toEqual([400, 'invalid_request']);
    }
    expect((await gateway.call('GET', '/v1/battles', { token: '' })).status).toBe(401);
    const { value: token } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['lenses:read'] });
    expect(outcome(await callerOf(gateway, { token }).get('/v1/battles'))).toEqual([403, 'insufficient_scope']);
  });
});

describe('GET /v1/battles/history', () => {
  it('answers 200 with ended battles of the caller, and published ones of others, in pages', async () => {
    const [caller, other] = [await aCaller(gateway), await aCaller(gateway)];
    const ids: string[] = [];
    for (const status of ['open', 'closed', 'published', 'archived'] as const) {
      ids.push((await aBattle(ctxOf(caller), { status })).id);
    }
    const [, closed, published, archived] = ids;
    const found = await allPages(caller.get, '/v1/battles/history');
    expect(found.items.map((each) => parse(BattleSummary, each).id)).toEqual([archived, published, closed]);
    const filtered = await caller.get(`/v1/battles/history?status=closed&lenserId=${caller.accountId}`);
    expect(filtered.body.meta).toMatchObject({ total: 1, hasNextPage: false });
    expect(items(filtered).map(({ id }) => id)).toEqual([closed]);
    const shown = await other.get(`/v1/battles/history?lenserId=${caller.accountId}`);
    expect(items(shown).map(({ id }) => id)).toEqual([published]);
  });

  it('answers 400, 401 and 403', async () => {
    for (const query of ['status=open', 'lenserId=x', 'limit=101']) {
      expect(outcome(await ada.get(`/v1/battles/history?${query}`))).toEqual([400, 'invalid_request']);
    }
    expect((await gateway.call('GET', '/v1/battles/history', { token: '' })).status).toBe(401);
    expect(outcome(await anonymous.get('/v1/battles/history'))).toEqual([403, 'forbidden']);
  });
});

describe('GET /v1/battles/{battleId}', () => {
  it.each(blindnessCases)('shows a %s of a battle that is %s no more than permitted', async (viewer, status) => {
    const battle = await aBlindBattle(gateway.ctx, status);
    const accountId = battle.accounts[viewer];
    const { value: token } =
      viewer === 'anonymous caller' ? { value: gateway.anonymousToken() } : await aToken(gateway.ctx, { accountId });
    const caller = callerOf(gateway, { token });
    const answer = await caller.get(`/v1/battles/${battle.battleId}`);
    const permitted = permittedKnowledge(viewer, status);
    if (permitted) expect(knowledgeIn(battle, parse(Battle, answer.body.data))).toEqual(permitted);
    else expect(outcome(answer)).toEqual([404, 'not_found']);
    const list = await caller.get(`/v1/battles?creatorId=${battle.accounts.creator}`);
    expect(knowledgeIn(battle, list.body)).toEqual({ identities: '', attributed: '', ballot: '' });
  });

  it('answers 400, 401, 403 and 404', async () => {
    const { id } = await created(ada);
    expect((await ada.get('/v1/battles/x')).status).toBe(400);
    expect((await gateway.call('GET', `/v1/battles/${id}`, { token: '' })).status).toBe(401);
    const { value: token } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['lenses:read'] });
    expect(outcome(await callerOf(gateway, { token }).get(`/v1/battles/${id}`))).toEqual([403, 'insufficient_scope']);
    for (const path of [`/v1/battles/${id}`, `/v1/battles/${newId()}`]) {
      expect(outcome(await stranger.get(path))).toEqual([404, 'not_found']);
    }
  });
});

describe('PATCH /v1/battles/{battleId}', () => {
  it('answers 200 with the changed draft', async () => {
    const battle = await created(ada, { aiJudgeModelKey: 'offline/echo' });
    const change = { title: 'Sonnet', judgingMode: 'community_vote', aiJudgeModelKey: null, budgetCredits: 5 };
    const { status, body } = await ada.patch(`/v1/battles/${battle.id}`, change);
    expect([status, parse(Battle, body.data)]).toEqual([200, expect.objectContaining(change)]);
  });

  it('answers 400, 401, 403, 404, 409, 413 and 415', async () => {
    const { id } = await created(ada);
    const path = `/v1/battles/${id}`;
    for (const change of [{ title: '' }, { battleType: 'human_vs_ai' }, { rubric: [{ name: 'a' }, { name: 'a' }] }]) {
      expect(outcome(await ada.patch(path, change))).toEqual([400, 'invalid_request']);
    }
    expect((await gateway.call('PATCH', path, { token: '', body: {} })).status).toBe(401);
    expect(outcome(await reader.patch(path, {}))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await stranger.patch(path, {}))).toEqual([404, 'not_found']);
    await aContender(gateway.ctx, { id }, { lenserAccountId: stranger.accountId });
    expect(outcome(await stranger.patch(path, {}))).toEqual([403, 'forbidden']);
    const open = await aBattle(ctxOf(ada), { status: 'open' });
    const late = await ada.patch(`/v1/battles/${open.id}`, { title: 'Late' });
    expect([...outcome(late), late.body.error?.details]).toEqual([409, 'conflict', { status: 'open' }]);
    expect((await ada.patch(path, large)).status).toBe(413);
    const { token } = ada;
    expect((await gateway.call('PATCH', path, { token, body: '{}', headers: plainText })).status).toBe(415);
  });
});

describe('POST /v1/battles/{battleId}/contenders', () => {
  const human = (caller: TestCaller) => ({
    displayName: 'Somebody',
    contenderType: 'human',
    contenderRefId: caller.accountId,
  });

  it('answers 201 with the contender in its slot', async () => {
    const { id } = await created(ada, { battleType: 'human_vs_ai' });
    const ai = await anAiLenser(ctxOf(stranger));
    const robot = { displayName: 'Robot', contenderType: 'ai_agent', contenderRefId: ai.id, slot: 'C' };
    const first = await ada.post(`/v1/battles/${id}/contenders`, robot);
    expect([first.status, parse(Contender, first.body.data)]).toEqual([
      201,
      expect.objectContaining({ slotLabel: 'C', displayName: 'Robot', contenderRefId: ai.id }),
    ]);
    const second = await ada.post(`/v1/battles/${id}/contenders`, human(stranger));
    expect(second.body.data).toMatchObject({ slotLabel: 'A' });
    expect((await stranger.get(`/v1/battles/${id}`)).body.data).toMatchObject({ contenderCount: 2 });
  });

  it('answers 201 to a stranger who enters an open battle', async () => {
    const { id } = await aBattle(ctxOf(ada), { status: 'open', battleType: 'human_vs_human_open_votes' });
    expect((await stranger.get(`/v1/battles/${id}`)).status).toBe(404);
    expect((await stranger.post(`/v1/battles/${id}/contenders`, human(stranger))).status).toBe(201);
    expect((await stranger.get(`/v1/battles/${id}`)).status).toBe(200);
  });

  it('answers 400, 401, 403, 404, 409, 413 and 415', async () => {
    const { id } = await aBattle(ctxOf(ada), { status: 'open', battleType: 'human_vs_ai', maxContenders: 2 });
    const path = `/v1/battles/${id}/contenders`;
    for (const change of [
      { displayName: ' ' },
      { contenderType: 'robot' },
      { contenderType: 'ai_model' },
      { contenderRefId: newId() },
      { slot: 'a' },
      { slot: 'AB' },
      { lensId: newId() },
      { workflowId: newId() },
    ]) {
      expect(outcome(await ada.post(path, { ...human(stranger), ...change }))).toEqual([400, 'invalid_request']);
    }
    expect((await gateway.call('POST', path, { token: '', body: human(ada) })).status).toBe(401);
    expect(outcome(await reader.post(path, human(ada)))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await stranger.post(path, human(ada)))).toEqual([403, 'forbidden']);
    const draft = await created(ada);
    for (const hidden of [draft.id, newId()]) {
      expect(outcome(await stranger.post(`/v1/battles/${hidden}/contenders`, human(stranger)))).toEqual([
        404,
        'not_found',
      ]);
    }
    const conflict = async (body: object) => expect(outcome(await ada.post(path, body))).toEqual([409, 'conflict']);
    expect((await ada.post(path, human(ada))).status).toBe(201);
    await conflict(human(ada));
    await conflict({ ...human(stranger), slot: 'A' });
    expect((await ada.post(path, human(stranger))).status).toBe(201);
    await conflict(human(await aCaller(gateway)));
    await gateway.ctx.db.query(`update battles set status = 'executing' where id = $1`, [id]);
    await conflict(human(await aCaller(gateway)));
    expect((await ada.post(path, { ...human(ada), displayName: 'x'.repeat(300_000) })).status).toBe(413);
    const { token } = ada;
    expect((await gateway.call('POST', path, { token, body: '{}', headers: plainText })).status).toBe(415);
  });
});

describe('DELETE /v1/battles/{battleId}/contenders/{contenderId}', () => {
  it('answers 200 to the owner and to the creator', async () => {
    const battle = await aBattle(ctxOf(ada), { status: 'open' });
    for (const caller of [stranger, ada]) {
      const { id } = await aContender(gateway.ctx, battle, { lenserAccountId: stranger.accountId });
      const { status, body } = await caller.remove(`/v1/battles/${battle.id}/contenders/${id}`);
      expect([status, parse(Contender, body.data)]).toEqual([200, expect.objectContaining({ id, slotLabel: 'A' })]);
    }
    expect((await ada.get(`/v1/battles/${battle.id}`)).body.data).toMatchObject({ contenders: [] });
  });

  it('answers 400, 401, 403, 404 and 409', async () => {
    const battle = await aBattle(ctxOf(ada), { status: 'open' });
    const { id } = await aContender(gateway.ctx, battle);
    await aContender(gateway.ctx, battle, { lenserAccountId: stranger.accountId });
    const path = `/v1/battles/${battle.id}/contenders`;
    expect((await ada.remove(`${path}/x`)).status).toBe(400);
    expect((await gateway.call('DELETE', `${path}/${id}`, { token: '' })).status).toBe(401);
    expect(outcome(await reader.remove(`${path}/${id}`))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await stranger.remove(`${path}/${id}`))).toEqual([403, 'forbidden']);
    expect(outcome(await ada.remove(`${path}/${newId()}`))).toEqual([404, 'not_found']);
    expect(outcome(await (await aCaller(gateway)).remove(`${path}/${id}`))).toEqual([404, 'not_found']);
    await gateway.ctx.db.query(`update battles set status = 'voting' where id = $1`, [battle.id]);
    expect(outcome(await ada.remove(`${path}/${id}`))).toEqual([409, 'conflict']);
  });
});
