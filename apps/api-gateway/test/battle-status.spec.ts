import { aBattle, aContender } from '@lensforge/battles/testing';
import { BattleStatusReply, ExecutedBattle, Submitted, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken, actingAs, anAiLenser } from '@lensforge/identity/testing';
import { aPricedModel } from '@lensforge/models/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestCaller, aCaller, callerOf, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let ada: TestCaller;
let eve: TestCaller;
let stranger: TestCaller;
let reader: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_RATE_RUN_PER_MINUTE: '100000' });
  [ada, eve, stranger] = [await aCaller(gateway), await aCaller(gateway), await aCaller(gateway)];
  const { accountId } = ada;
  const { value: token } = await aToken(gateway.ctx, { accountId, held: ['community:read'] });
  reader = callerOf(gateway, { accountId, token });
});
afterAll(() => gateway.stop());

const ctxOf = ({ accountId }: TestCaller) => actingAs(gateway.ctx, accountId);

/** A battle of Ada in which Eve takes part. */
async function aBattleWithEve(traits: Parameters<typeof aBattle>[1] = {}) {
  const battle = await aBattle(ctxOf(ada), { battleType: 'human_vs_ai', status: 'open', ...traits });
  const { id: contenderId } = await aContender(gateway.ctx, battle, { lenserAccountId: eve.accountId });
  return { id: battle.id, contenderId };
}

/** Expects the refusals that do not depend on the endpoint. */
async function expectUsualRefusals(path: string, body: object): Promise<void> {
  const send = (token: string, more: object = {}) => gateway.call('POST', path, { token, body, ...more });
  expect((await send('')).status).toBe(401);
  expect(outcome(await reader.post(path, body))).toEqual([403, 'insufficient_scope']);
  expect(outcome(await send(gateway.anonymousToken()))).toEqual([403, 'forbidden']);
  expect(outcome(await stranger.post(path, body))).toEqual([404, 'not_found']);
  const unknown = path.replace(/[0-9a-f-]{36}/, newId());
  expect(outcome(await ada.post(unknown, body))).toEqual([404, 'not_found']);
  expect((await send(ada.token, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
}

describe('POST /v1/battles/{battleId}/submissions', () => {
  const submit = (by: TestCaller, battleId: string, body: object) =>
    by.post(`/v1/battles/${battleId}/submissions`, body);

  it('answers 200 with the status after the submission', async () => {
    const { id, contenderId } = await aBattleWithEve({ status: 'executing' });
    const answer = await submit(eve, id, { contenderId, contentText: 'Waves.' });
    expect([answer.status, parse(Submitted, answer.body.data)]).toEqual([
      200,
      { battleId: id, contenderId, submitted: true, replaced: false, status: 'voting' },
    ]);
  });

  it('answers 200 to 100,000 characters of any script', async () => {
    const { id, contenderId } = await aBattleWithEve();
    expect((await submit(eve, id, { contenderId, contentText: '🌊'.repeat(100_000) })).status).toBe(200);
  });

  it('answers 400, 401, 403, 404, 409, 413 and 415', async () => {
    const { id, contenderId } = await aBattleWithEve();
    const body = { contenderId, contentText: 'Waves.' };
    for (const change of [{ contentText: '' }, { contentText: 'x'.repeat(100_001) }, { contenderId: 'x' }]) {
      expect(outcome(await submit(eve, id, { ...body, ...change }))).toEqual([400, 'invalid_request']);
    }
    expect(outcome(await submit(ada, id, body))).toEqual([403, 'forbidden']);
    expect(outcome(await submit(eve, id, { ...body, contenderId: newId() }))).toEqual([404, 'not_found']);
    await expectUsualRefusals(`/v1/battles/${id}/submissions`, body);
    const late = await aBattleWithEve({ status: 'closed' });
    const refused = await submit(eve, late.id, { ...body, contenderId: late.contenderId });
    expect([...outcome(refused), refused.body.error?.details]).toEqual([409, 'conflict', { status: 'closed' }]);
    expect((await submit(eve, id, { ...body, contentText: 'x'.repeat(2_000_000) })).status).toBe(413);
  });
});

describe('POST /v1/battles/{battleId}/execute', () => {
  const aContenderOf = async (battleId: string, aiModelKey?: string) => {
    const ai = await anAiLenser(ctxOf(eve), aiModelKey === undefined ? {} : { aiModelKey });
    const owner = { lenserAccountId: ai.id, ownerAccountId: eve.accountId };
    return aContender(gateway.ctx, { id: battleId }, { contenderType: 'ai_model', ...owner });
  };

  it('answers 202 with the runs of the missing answers', async () => {
    const { id } = await aBattleWithEve();
    const { id: contenderId } = await aContenderOf(id);
    const answer = await ada.post(`/v1/battles/${id}/execute`, {});
    const executed = parse(ExecutedBattle, answer.body.data);
    expect([answer.status, executed]).toEqual([
      202,
      { battleId: id, status: 'executing', runs: [{ contenderId, runId: expect.any(String) }], warnings: [] },
    ]);
    const run = await ada.get(`/v1/runs/${executed.runs[0]?.runId}`);
    expect(run.body.data).toMatchObject({ kind: 'prompt', origin: 'battle', status: 'queued' });
  });

  it('answers 400 without enough credits, and when the budget of the battle does not allow the runs', async () => {
    const { key } = await aPricedModel(gateway.ctx);
    const { id } = await aBattleWithEve();
    await aContenderOf(id, key);
    expect(outcome(await ada.post(`/v1/battles/${id}/execute`, {}))).toEqual([400, 'insufficient_credits']);
    await gateway.ctx.db.query(
      `insert into credit_accounts values ($1, 100000, 0) on conflict (account_id) do update set available = 100000`,
      [ada.accountId],
    );
    await gateway.ctx.db.query('update battles set budget_credits = 5 where id = $1', [id]);
    const refused = await ada.post(`/v1/battles/${id}/execute`, {});
    expect(outcome(refused)).toEqual([400, 'insufficient_credits']);
    expect(refused.body.error).toMatchObject({
      message: expect.stringContaining('budgetCredits'),
      details: { limitOf: 'battle', limit: 5 },
    });
  });

  it('answers 400, 401, 403, 404, 409 and 415', async () => {
    const { id } = await aBattleWithEve();
    const path = `/v1/battles/${id}/execute`;
    for (const body of [{ fundingSource: 'gold' }, { fundingSource: 'user_byok_cloud' }, { byokKeyRefId: newId() }]) {
      expect(outcome(await ada.post(path, body))).toEqual([400, 'invalid_request']);
    }
    expect(outcome(await eve.post(path, {}))).toEqual([403, 'forbidden']);
    await expectUsualRefusals(path, {});
    expect((await ada.post(path, {})).status).toBe(202);
    expect(outcome(await ada.post(path, {}))).toEqual([409, 'conflict']);
  });
});

describe('POST /v1/battles/{battleId}/status', () => {
  it('answers 200 with the status and what is odd about it', async () => {
    const { id } = await aBattleWithEve({ status: 'draft' });
    const answer = await ada.post(`/v1/battles/${id}/status`, { status: 'open' });
    expect([answer.status, parse(BattleStatusReply, answer.body.data)]).toEqual([
      200,
      { battleId: id, status: 'open', warnings: [expect.stringContaining('one contender')] },
    ]);
  });

  it('answers 200 to a closing with confirm, 400 without, and 409 to an impossible one', async () => {
    const { id } = await aBattleWithEve({ status: 'scoring' });
    const path = `/v1/battles/${id}/status`;
    for (const body of [{ status: 'closed' }, { status: 'closed', confirm: false }]) {
      expect(outcome(await ada.post(path, body))).toEqual([400, 'invalid_request']);
    }
    expect((await ada.post(path, { status: 'closed', confirm: true })).body.data).toMatchObject({ status: 'closed' });
    expect(outcome(await ada.post(path, { status: 'closed' }))).toEqual([409, 'conflict']);
  });

  it('answers 400, 401, 403, 404, 409 and 415', async () => {
    const { id } = await aBattleWithEve({ status: 'draft' });
    const path = `/v1/battles/${id}/status`;
    for (const body of [{}, { status: 'draft' }, { status: 'won' }, { status: 'open', confirm: 'yes' }]) {
      expect(outcome(await ada.post(path, body))).toEqual([400, 'invalid_request']);
    }
    expect(outcome(await eve.post(path, { status: 'open' }))).toEqual([403, 'forbidden']);
    await expectUsualRefusals(path, { status: 'open' });
    const refused = await ada.post(path, { status: 'voting' });
    expect([...outcome(refused), refused.body.error?.details]).toEqual([409, 'conflict', { status: 'draft' }]);
  });
});
