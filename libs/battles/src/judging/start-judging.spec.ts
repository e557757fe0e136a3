import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { importModels } from '@lensforge/models';
import { type BattleFixture, battleFixture, codeOf } from '../../test/battle-fixture.js';
import { StoredBattle } from '../battle.entity.js';
import type { StoredContender } from '../contender.entity.js';
import { aBattle, aContender } from '../testing.js';
import { defaultRubric } from './rubric.js';
import { estimateJudging } from './plan-judging.js';
import { startJudging } from './start-judging.js';

let fixture: BattleFixture;
let ada: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  // A token costs a credit.
  const prices = { creditsPer1kInput: 1000, creditsPer1kOutput: 1000, maxOutputTokens: 100 };
  await importModels(fixture.platform, [{ provider: 'judge', key: 'large', ...prices, capabilities: ['json'] }]);
  ada = await aRichPerson();
});
afterAll(() => fixture.close());

async function aRichPerson(): Promise<Context> {
  const person = await fixture.aPerson();
  const { accountId } = person.actor;
  await person.db.query('insert into credit_accounts values ($1, 1000000, 0)', [accountId]);
  await person.db.query(
    `insert into credit_entries (id, account_id, kind, debit, credit, amount)
     values ($1, $2, 'grant', 'platform', 'available', 1000000)`,
    [newId(), accountId],
  );
  return person;
}

type Traits = NonNullable<Parameters<typeof aBattle>[1]>;

async function aJudgedBattle(
  owner: Context,
  texts: readonly string[],
  traits: Traits = {},
): Promise<[StoredBattle, StoredContender[]]> {
  const chosen = { judgingMode: 'ai_judge', aiJudgeModelKey: 'judge/large', taskPrompt: 'x'.repeat(40) } as const;
  const battle = await aBattle(owner, { status: 'scoring', ...chosen, ...traits });
  const contenders: StoredContender[] = [];
  for (const text of texts) contenders.push(await aContender(owner, battle, { text }));
  return [battle, contenders];
}

interface JudgingRow {
  accountId: string;
  kind: string;
  model: string | null;
  fundingSource: string | null;
  hold: number;
  total: number;
}

const start = (ctx: Context, battle: StoredBattle, contenders: readonly StoredContender[]): Promise<void> =>
  inTransaction(ctx, (ctx) => startJudging(ctx, battle, contenders));

async function started(texts: readonly string[], traits: Traits = {}, caller = ada): Promise<JudgingRow> {
  const [battle, contenders] = await aJudgedBattle(ada, texts, traits);
  await start(caller, battle, contenders);
  return judgingOf(battle);
}

async function judgingOf({ id }: StoredBattle): Promise<JudgingRow> {
  const [row] = await ada.db.query<[JudgingRow]>(
    `select r.account_id as "accountId", r.kind, m.key as model, r.funding_source as "fundingSource",
            r.credit_hold::float8 as hold, b.judging_total as total
       from battles b join runs r on r.id = b.judging_run_id left join models m on m.id = r.model_id where b.id = $1`,
    [id],
  );
  return row;
}

/** Makes a run of a contender that cost so many credits. */
async function answered(contender: StoredContender, cost: number): Promise<StoredContender> {
  const answerRunId = newId();
  await ada.db.query(
    `insert into runs (id, request_id, account_id, kind, status, params, model_id, deadline_at, completed_at, credit_cost,
                       billing_status)
     select $1, $1, $2, 'prompt', 'succeeded', '{}', m.id, now(), now(), $3, 'charged' from models m where m.is_default`,
    [answerRunId, ada.actor.accountId, cost],
  );
  return { ...contender, answerRunId };
}

const two = ['a'.repeat(4000), 'b'.repeat(4000)];
/** Two requests with the rules, the task and both texts, four characters for a token, and answers of 100 tokens. */
const needed = 2 * ((4000 + 40 + 8000) / 4 + 100);

describe('startJudging', () => {
  it('starts a run of the creator that holds the expected cost twice, since answers may need a repair', async () => {
    expect(await started(two)).toEqual({
      accountId: ada.actor.accountId,
      kind: 'judging',
      model: 'large',
      fundingSource: null,
      hold: 2 * needed,
      total: 2,
    });
  });

  it('starts a run of the creator for other callers', async () => {
    for (const caller of [await fixture.aPerson(), fixture.platform]) {
      expect(await started(two, {}, caller)).toMatchObject({ accountId: ada.actor.accountId, hold: 2 * needed });
    }
  });

  it('counts characters only as far as the judge reads them', async () => {
    const { hold } = await started(['a'.repeat(100_000), 'b'.repeat(100_000)]);
    expect(hold).toBe((await started(['a'.repeat(40_000), 'b'.repeat(40_000)])).hold);
  });

  it('counts the judgements of each mode', async () => {
    const texts = ['a', 'b', 'c'];
    const checks = [{ kind: 'equals' as const, weight: 1, value: 'a' }];
    expect(await started(texts)).toMatchObject({ total: 6 });
    expect(await started(texts, { judgingMode: 'rubric_score' })).toMatchObject({ total: 3 * defaultRubric.length });
    expect(await started(texts, { judgingMode: 'auto_score', checks })).toMatchObject({ total: 3, model: null });
    expect(await started([])).toMatchObject({ total: 0, hold: 0 });
    expect(await started(['a'])).toMatchObject({ total: 0, hold: 0 });
  });

  it.each([
    ['names none', null],
    ['names an offline one', 'echo'],
    ['names one that is not offered any more', 'judge/gone'],
  ])('starts a free run without a model when the battle %s', async (_, aiJudgeModelKey) => {
    expect(await started(two, { aiJudgeModelKey })).toMatchObject({ model: null, hold: 0, total: 2 });
  });

  it('holds no more than the budget leaves, and starts a free run when that does not pay for the judge', async () => {
    expect(await started(two, { budgetCredits: String(needed + 1) })).toMatchObject({ hold: needed + 1 });
    expect(await started(two, { budgetCredits: String(needed - 1) })).toMatchObject({ model: null, hold: 0 });
    const [battle, [one, other]] = await aJudgedBattle(ada, two, { budgetCredits: String(needed + 100) });
    if (!one || !other) throw new Error('the battle has no contenders');
    await start(ada, battle, [await answered(one, 60), await answered(other, 30)]);
    expect(await judgingOf(battle)).toMatchObject({ model: 'large', hold: needed + 10 });
    const [poor, [first]] = await aJudgedBattle(ada, two, { budgetCredits: String(needed + 50) });
    await start(ada, poor, first ? [await answered(first, 60)] : []);
    expect(await judgingOf(poor)).toMatchObject({ model: null, hold: 0 });
  });

  it('uses the BYOK key of the battle if it is of the provider of the judge; otherwise credits pay', async () => {
    await ada.db.query(`insert into byok_key_pairs values (1, decode(repeat('00', 32), 'hex'), '')`);
    const aKey = async (provider: string, revoked = false): Promise<Traits> => {
      const byokKeyId = newId();
      await ada.db.query(
        `insert into byok_keys (id, account_id, provider, label, last4, key_pair, data_key, secret, revoked_at)
         select $1, $2, $3, 'x', 'last', case when not $4 then 1 end, case when not $4 then ''::bytea end,
                case when not $4 then ''::bytea end, case when $4 then now() end`,
        [byokKeyId, ada.actor.accountId, provider, revoked],
      );
      return { fundingSource: 'user_byok_cloud', byokKeyId };
    };
    expect(await started(two, await aKey('judge'))).toMatchObject({
      model: 'large',
      fundingSource: 'user_byok_cloud',
      hold: 0,
    });
    for (const traits of [await aKey('other'), await aKey('judge', true)]) {
      expect(await started(two, traits)).toMatchObject({ model: 'large', fundingSource: null, hold: 2 * needed });
    }
  });

  it('is estimated with texts of a usual length for contenders who have not submitted', async () => {
    const [battle] = await aJudgedBattle(ada, two);
    expect(await estimateJudging(ada, battle)).toBe(needed);
    const [unwritten] = await aJudgedBattle(ada, two.slice(0, 1));
    expect(await estimateJudging(ada, unwritten)).toBe(0);
    await aContender(ada, unwritten);
    expect(await estimateJudging(ada, unwritten)).toBe(needed);
  });

  it('starts one run when it is repeated', async () => {
    const [battle, contenders] = await aJudgedBattle(ada, two);
    await start(ada, battle, contenders);
    const first = await ada.db.findOneByOrFail(StoredBattle, { id: battle.id });
    await start(ada, first, contenders);
    expect(await ada.db.findOneByOrFail(StoredBattle, { id: battle.id })).toEqual(first);
  });

  it('refuses a creator without enough credits, and writes nothing', async () => {
    const poor = await fixture.aPerson();
    const [battle, contenders] = await aJudgedBattle(poor, two);
    expect(await codeOf(start(poor, battle, contenders))).toBe('INSUFFICIENT_CREDITS');
    expect(await ada.db.findOneByOrFail(StoredBattle, { id: battle.id })).toMatchObject({ judgingRunId: null });
  });
});
