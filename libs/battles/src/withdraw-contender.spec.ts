import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { battleStatuses } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type BattleFixture, battleFixture, codeOf } from '../test/battle-fixture.js';
import { addContender } from './add-contender.js';
import { readBattle } from './read-battle.js';
import { aBattle, aContender } from './testing.js';
import { withdrawContender } from './withdraw-contender.js';

let fixture: BattleFixture;
let creator: Context;
let owner: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  [creator, owner] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

const ofOwner = () => ({ lenserAccountId: owner.actor.accountId });

describe('withdrawContender', () => {
  it('removes a contender with its submission for its owner and the creator, and frees its slot', async () => {
    for (const status of ['draft', 'open'] as const) {
      for (const caller of [owner, creator]) {
        const battle = await aBattle(creator, { status, battleType: 'human_vs_human_open_votes' });
        const { id } = await aContender(creator, battle, { ...ofOwner(), text: 'A text' });
        await aContender(creator, battle);
        expect(await withdrawContender(caller, { battleId: battle.id, contenderId: id.toUpperCase() })).toMatchObject({
          id,
          slotLabel: 'A',
          submitted: true,
        });
        const left = await readBattle(creator, battle.id);
        expect(left.contenders.map(({ slotLabel }) => slotLabel)).toEqual(['B']);
        expect(await fixture.source.query('select from battle_submissions where battle_id = $1', [battle.id])).toEqual(
          [],
        );
        const again = { battleId: battle.id, displayName: 'Again', contenderType: 'human' } as const;
        expect(await addContender(creator, { ...again, contenderRefId: owner.actor.accountId })).toMatchObject({
          slotLabel: 'A',
          submitted: false,
        });
      }
    }
  });

  it.each(battleStatuses.filter((status) => status !== 'draft' && status !== 'open'))(
    'refuses a battle that is %s',
    async (status) => {
      const battle = await aBattle(creator, { status });
      const { id: contenderId } = await aContender(creator, battle, ofOwner());
      for (const caller of [owner, creator]) {
        expect(await codeOf(withdrawContender(caller, { battleId: battle.id, contenderId }))).toBe(
          'INVALID_TRANSITION',
        );
      }
    },
  );

  it('refuses others, who learn nothing about contenders while voting', async () => {
    const other = await fixture.aPerson();
    const open = await aBattle(creator, { status: 'open' });
    const { id: contenderId } = await aContender(creator, open, ofOwner());
    await aContender(creator, open, { lenserAccountId: other.actor.accountId });
    expect(await codeOf(withdrawContender(other, { battleId: open.id, contenderId }))).toBe('FORBIDDEN');
    const stranger = await fixture.aPerson();
    expect(await codeOf(withdrawContender(stranger, { battleId: open.id, contenderId }))).toBe('NOT_FOUND');
    const voting = await aBattle(creator, { status: 'voting' });
    const hidden = await aContender(creator, voting, ofOwner());
    for (const id of [hidden.id, newId()]) {
      expect(await codeOf(withdrawContender(stranger, { battleId: voting.id, contenderId: id }))).toBe('NOT_FOUND');
    }
  });

  it('refuses contenders of another battle', async () => {
    const [one, other] = [await aBattle(creator), await aBattle(creator)];
    const { id: contenderId } = await aContender(creator, one);
    expect(await codeOf(withdrawContender(creator, { battleId: other.id, contenderId }))).toBe('NOT_FOUND');
  });
});
