import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BattleStatusReply } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { limitRuns } from '@lensforge/runs';
import { type BattleFixture, battleFixture, codeOf, outcomeOf } from '../../test/battle-fixture.js';
import { battleOf, eventsOf } from '../../test/battle-stages.js';
import type { StoredBattle } from '../battle.entity.js';
import { setBattleStatus } from '../set-battle-status.js';
import { aBattle, aContender } from '../testing.js';
import { startFreeJudging } from './start-free-judging.js';

let fixture: BattleFixture;
let ada: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  ada = await fixture.aPerson();
});
afterAll(() => fixture.close());

type Traits = NonNullable<Parameters<typeof aBattle>[1]>;

async function aVotingBattle(owner: Context, traits: Traits = {}): Promise<StoredBattle> {
  const battle = await aBattle(owner, { status: 'voting', judgingMode: 'ai_judge', ...traits });
  for (const text of ['Waves.', 'Foam.']) await aContender(owner, battle, { text });
  return battle;
}

const score = (ctx: Context, { id }: StoredBattle): Promise<BattleStatusReply> =>
  setBattleStatus(ctx, { battleId: id, status: 'scoring' });

const runsOf = (battle: StoredBattle): Promise<object[]> =>
  ada.db.query(
    `select r.account_id as "accountId", r.kind, r.model_id as model, r.credit_hold::int as hold, r.cause,
            r.id = b.judging_run_id as "isJudging", b.judging_total as total
       from runs r join battles b on b.id = $1 where r.cause ->> 'battleId' = $1::text`,
    [battle.id],
  );

describe('startFreeJudging', () => {
  it('starts one run for each of many battles of several owners at once', async () => {
    const eve = await fixture.aPerson();
    const owners = Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? eve : ada));
    const battles = await Promise.all(owners.map((owner) => aVotingBattle(owner)));
    const replies = await Promise.all(battles.map((battle, n) => score(owners[n] ?? ada, battle)));
    const [alone] = replies;
    for (const [n, battle] of battles.entries()) {
      expect(replies[n]).toEqual({ ...alone, battleId: battle.id, status: 'scoring' });
      expect(await eventsOf(ada, battle.id)).toEqual(['status.changed scoring']);
      expect(await runsOf(battle)).toEqual([
        {
          accountId: owners[n]?.actor.accountId,
          kind: 'judging',
          model: null,
          hold: 0,
          cause: { kind: 'battle', battleId: battle.id },
          isJudging: true,
          total: 2,
        },
      ]);
    }
  });

  it('answers as a move in a transaction of its own', async () => {
    const inBatch = await aVotingBattle(ada, { judgingMode: 'auto_score', checks: [] });
    const reply = await startFreeJudging(ada, inBatch.id);
    const inTransaction = await aVotingBattle(ada, { judgingMode: 'auto_score', checks: [] });
    const other = await ada.db.transaction((db) => score({ ...ada, db }, inTransaction));
    expect(reply).toEqual({ ...other, battleId: inBatch.id });
    expect(other.warnings).toEqual(['The battle has no checks: each answer that is not empty scores 1.']);
  });

  it('moves a battle once for several callers', async () => {
    const battle = await aVotingBattle(ada);
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => score(ada, battle)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await eventsOf(ada, battle.id)).toEqual(['status.changed scoring']);
    expect(await runsOf(battle)).toHaveLength(1);
  });

  it('counts the votes that were cast until then', async () => {
    const [battle, other] = [await aVotingBattle(ada), await aVotingBattle(ada)];
    await ada.db.query(
      `insert into battle_votes (battle_id, account_id, ranking, entry_order) values ($1, uuidv7(), '[]', '{}')`,
      [battle.id],
    );
    await Promise.all([score(ada, battle), score(ada, other)]);
    expect(await eventsOf(ada, battle.id)).toEqual(['votes.counted 1', 'status.changed scoring']);
    expect(await eventsOf(ada, other.id)).toEqual(['status.changed scoring']);
  });

  it('refuses callers as any move does, beside others that succeed', async () => {
    const [own, foreign, draft] = [
      await aVotingBattle(ada),
      await aVotingBattle(await fixture.aPerson()),
      await aBattle(ada, { judgingMode: 'ai_judge' }),
    ];
    const outcomes = await Promise.all([score(ada, own), codeOf(score(ada, foreign)), codeOf(score(ada, draft))]);
    expect(outcomes).toEqual([expect.objectContaining({ status: 'scoring' }), 'FORBIDDEN', 'INVALID_TRANSITION']);
    expect(await runsOf(foreign)).toEqual([]);
  });

  it.each<[string, Traits]>([
    ['with a judge model', { aiJudgeModelKey: 'echo' }],
    ['that votes decide', { judgingMode: 'community_vote' }],
  ])('leaves a battle %s to its own transaction', async (_, traits) => {
    const battle = await aVotingBattle(ada, traits);
    expect(await startFreeJudging(ada, battle.id)).toBeUndefined();
    expect((await battleOf(ada, battle.id)).status).toBe('voting');
  });

  it('leaves a battle voting whose account has too many runs, beside others that succeed', async () => {
    const eve = await fixture.aPerson();
    limitRuns(fixture.source, { atOnce: 10, backlog: 2 });
    const battles = await Promise.all([1, 2, 3, 4].map(() => aVotingBattle(eve)));
    const other = await aVotingBattle(await fixture.aPerson());
    const outcomes = await Promise.all([
      ...battles.map((battle) => outcomeOf(score(eve, battle).then(({ status }) => status))),
      score(fixture.platform, other).then(({ status }) => status),
    ]);
    expect(outcomes.toSorted()).toEqual(['RATE_LIMITED', 'RATE_LIMITED', 'scoring', 'scoring', 'scoring']);
    const states = await Promise.all(battles.map(async ({ id }) => (await battleOf(ada, id)).status));
    expect(states.toSorted()).toEqual(['scoring', 'scoring', 'voting', 'voting']);
  });
});
