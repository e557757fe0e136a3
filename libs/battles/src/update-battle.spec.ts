import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BattleStatus, battleStatuses } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type BattleFixture, battleFixture, codeOf, faultsOf, refusal } from '../test/battle-fixture.js';
import { readBattle } from './read-battle.js';
import { aBattle, aContender } from './testing.js';
import { updateBattle } from './update-battle.js';

let fixture: BattleFixture;
let ada: Context;
let stranger: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  [ada, stranger] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

describe('updateBattle', () => {
  it('changes the given members and leaves the others', async () => {
    const { id: battleId } = await aBattle(ada, { maxContenders: 5, aiJudgeModelKey: 'offline/echo' });
    const before = await readBattle(ada, battleId);
    const rubric = [{ name: 'Rhythm', weight: 2, description: '' }];
    const changed = await updateBattle(ada, { battleId, title: 'Better', judgingMode: 'rubric_score', rubric });
    expect(changed).toEqual({
      ...before,
      title: 'Better',
      judgingMode: 'rubric_score',
      rubric,
      warnings: changed.warnings,
    });
    expect(await updateBattle(ada, { battleId, aiJudgeModelKey: null, maxContenders: 2 })).toMatchObject({
      title: 'Better',
      aiJudgeModelKey: null,
      maxContenders: 2,
      rubric,
    });
  });

  it('refuses invalid settings and fewer slots than contenders', async () => {
    const battle = await aBattle(ada);
    for (let count = 0; count < 3; count += 1) await aContender(ada, battle);
    const { id: battleId } = battle;
    expect(await faultsOf(updateBattle(ada, { battleId, maxContenders: 2 }))).toEqual(['maxContenders']);
    expect(await faultsOf(updateBattle(ada, { battleId, aiJudgeModelKey: 'no-such' }))).toEqual(['aiJudgeModelKey']);
    const checks = [{ kind: 'max_length' as const, weight: 1, value: 'ten' }];
    expect(await faultsOf(updateBattle(ada, { battleId, checks }))).toEqual(['checks.0.value']);
    expect(await updateBattle(ada, { battleId, maxContenders: 3 })).toMatchObject({ maxContenders: 3 });
  });

  it.each(battleStatuses.filter((status) => status !== 'draft'))(
    'refuses a battle that is %s',
    async (status: BattleStatus) => {
      const { id: battleId } = await aBattle(ada, { status });
      expect(await refusal(updateBattle(ada, { battleId, title: 'Late' }))).toMatchObject({
        code: 'INVALID_TRANSITION',
        details: { status },
      });
      expect(await readBattle(ada, battleId)).toMatchObject({ title: 'A battle' });
    },
  );

  it('refuses others', async () => {
    const battle = await aBattle(ada);
    await aContender(ada, battle, { lenserAccountId: stranger.actor.accountId });
    const change = { battleId: battle.id, title: 'Mine' };
    expect(await codeOf(updateBattle(stranger, change))).toBe('FORBIDDEN');
    for (const caller of [await fixture.aPerson(), fixture.anonymous]) {
      expect(await codeOf(updateBattle(caller, change))).toBe('NOT_FOUND');
    }
    expect(await codeOf(updateBattle(ada, { ...change, battleId: newId() }))).toBe('NOT_FOUND');
    expect(await updateBattle(fixture.platform, change)).toMatchObject({ title: 'Mine' });
  });
});
