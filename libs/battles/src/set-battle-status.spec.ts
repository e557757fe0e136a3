import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BattleStatus, battleStatuses, targetStatuses } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { aContext } from '@lensforge/testing';
import { type BattleFixture, battleFixture, codeOf, refusal } from '../test/battle-fixture.js';
import { battleOf, eventsOf } from '../test/battle-stages.js';
import { setBattleStatus } from './set-battle-status.js';
import { aBattle, aContender } from './testing.js';

let fixture: BattleFixture;
let ada: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  ada = await fixture.aPerson();
});
afterAll(() => fixture.close());

type Target = Exclude<BattleStatus, 'draft'>;

/** The documented moves, besides those to archived, which every status but archived has. */
const documented: Partial<Record<BattleStatus, Target>> = {
  draft: 'open',
  open: 'executing',
  executing: 'voting',
  voting: 'scoring',
  scoring: 'closed',
  closed: 'published',
};
const isPossible = (from: BattleStatus, to: Target): boolean =>
  documented[from] === to || (to === 'archived' && from !== 'archived');

const pairs = battleStatuses.flatMap((from) => targetStatuses.map((to) => [from, to] as const));

describe('setBattleStatus', () => {
  it.each(pairs)('decides the move from %s to %s as documented', async (from, to) => {
    const { id } = await aBattle(ada, { status: from });
    const move = (confirm?: true) => setBattleStatus(ada, { battleId: id, status: to, ...(confirm && { confirm }) });
    const needsConfirmation = to === 'closed' || to === 'archived';
    if (!isPossible(from, to)) {
      for (const moving of [move(), move(true)]) {
        expect(await refusal(moving)).toMatchObject({ code: 'INVALID_TRANSITION', details: { status: from } });
      }
      expect((await battleOf(ada, id)).status).toBe(from);
      expect(await eventsOf(ada, id)).toEqual([]);
      return;
    }
    if (needsConfirmation) expect(await codeOf(move())).toBe('CONFIRMATION_REQUIRED');
    expect((await battleOf(ada, id)).status).toBe(from);
    expect(await move(needsConfirmation || undefined)).toMatchObject({ battleId: id, status: to });
    expect((await battleOf(ada, id)).status).toBe(to);
    expect(await eventsOf(ada, id)).toEqual([`status.changed ${to}`]);
  });

  it('is for the creator: FORBIDDEN to others who see the battle, NOT_FOUND to strangers', async () => {
    const battle = await aBattle(ada, { status: 'open' });
    const { ownerAccountId } = await aContender(ada, battle);
    const eve = await fixture.aPerson();
    const move = { battleId: battle.id, status: 'executing' } as const;
    expect(await codeOf(setBattleStatus(aContext(ada.db, { accountId: ownerAccountId }), move))).toBe('FORBIDDEN');
    expect(await codeOf(setBattleStatus(eve, move))).toBe('NOT_FOUND');
    expect(await codeOf(setBattleStatus(ada, { ...move, battleId: newId() }))).toBe('NOT_FOUND');
    const open = await aBattle(ada, { status: 'voting' });
    expect(await codeOf(setBattleStatus(eve, { battleId: open.id, status: 'scoring' }))).toBe('FORBIDDEN');
  });

  it('starts scoring at the move to executing when all answers are in', async () => {
    const battle = await aBattle(ada, { status: 'open' });
    for (const text of ['Waves.', 'Foam.']) await aContender(ada, battle, { text });
    expect(await setBattleStatus(ada, { battleId: battle.id, status: 'executing' })).toMatchObject({
      status: 'voting',
      warnings: [],
    });
    expect(await eventsOf(ada, battle.id)).toEqual(['status.changed executing', 'status.changed voting']);
  });

  it('says what is odd instead of holding the move back', async () => {
    const battle = await aBattle(ada, { status: 'executing', judgingMode: 'auto_score', checks: [] });
    const { warnings } = await setBattleStatus(ada, { battleId: battle.id, status: 'voting' });
    expect(warnings.join(' ')).toContain('no contenders');
    await aContender(ada, battle);
    const moved = await setBattleStatus(ada, { battleId: battle.id, status: 'scoring' });
    expect(moved.warnings.join(' ')).toMatch(/one contender.*have no submission.*no judging/);
    expect((await battleOf(ada, battle.id)).judgingRunId).toBeNull();
  });

  it('starts the judging when a battle with a judge enters scoring from voting', async () => {
    const battle = await aBattle(ada, { status: 'voting', judgingMode: 'rubric_score' });
    await aContender(ada, battle, { text: 'Waves.' });
    await setBattleStatus(ada, { battleId: battle.id, status: 'scoring' });
    expect((await battleOf(ada, battle.id)).judgingRunId).not.toBeNull();
    const byVotes = await aBattle(ada, { status: 'voting' });
    await aContender(ada, byVotes, { text: 'Waves.' });
    await setBattleStatus(ada, { battleId: byVotes.id, status: 'scoring' });
    expect((await battleOf(ada, byVotes.id)).judgingRunId).toBeNull();
  });

  it('moves a battle once when two callers request the same move', async () => {
    const { id } = await aBattle(ada, { status: 'scoring' });
    const close = () => setBattleStatus(ada, { battleId: id, status: 'closed', confirm: true });
    const outcomes = await Promise.allSettled([close(), close(), close()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await eventsOf(ada, id)).toEqual(['status.changed closed']);
  });
});
