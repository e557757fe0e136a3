import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BattleType } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { anAccount, anAiLenser } from '@lensforge/identity/testing';
import { aContext } from '@lensforge/testing';
import { type BattleFixture, battleFixture, codeOf, refusal } from '../../test/battle-fixture.js';
import { blindIds, eventsOf } from '../../test/battle-stages.js';
import type { StoredBattle } from '../battle.entity.js';
import type { StoredContender } from '../contender.entity.js';
import { setBattleStatus } from '../set-battle-status.js';
import { aBattle, aContender } from '../testing.js';
import { castVote } from './cast-vote.js';

let fixture: BattleFixture;
let ada: Context;
let eve: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  [ada, eve] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

const as = (accountId: string): Context => aContext(fixture.source.manager, { accountId });

interface OpenBattle {
  battle: StoredBattle;
  contenders: StoredContender[];
  /** The ids of the contenders on the ballot of a voter. */
  blind: (voter?: Context) => string[];
}

/** A battle that votes on three entries; a fourth contender has not submitted. */
async function anOpenVote(battleType: BattleType = 'human_vs_ai'): Promise<OpenBattle> {
  const battle = await aBattle(ada, { battleType, status: 'voting' });
  const contenders: StoredContender[] = [];
  for (const text of ['Waves.', 'Foam.', 'Salt.']) contenders.push(await aContender(ada, battle, { text }));
  await aContender(ada, battle);
  return { battle, contenders, blind: (voter = eve) => blindIds(battle, voter, contenders) };
}

async function storedVotes(battleId: string): Promise<{ accountId: string; ranking: string[][] }[]> {
  return ada.db.query(
    'select account_id as "accountId", ranking, comment from battle_votes where battle_id = $1 order by created_at',
    [battleId],
  );
}

describe('castVote', () => {
  it('stores places by the ids of contenders, with the order of the ballot, and answers with those of the voter', async () => {
    const { battle, contenders, blind } = await anOpenVote();
    const [a = '', b = '', c = ''] = blind();
    const [one, two, three] = contenders.map(({ id }) => id);
    const vote = await castVote(eve, { battleId: battle.id, ranking: [c, a], comment: 'Salty.' });
    expect(vote).toEqual({
      battleId: battle.id,
      ranking: [[c], [a], [b]],
      comment: 'Salty.',
      createdAt: expect.any(String),
      updatedAt: vote.createdAt,
    });
    const { accountId } = eve.actor;
    expect(await storedVotes(battle.id)).toEqual([{ accountId, ranking: [[three], [one], [two]], comment: 'Salty.' }]);
    const [{ order }] = await ada.db.query<[{ order: string[] }]>(
      'select entry_order as order from battle_votes where battle_id = $1',
      [battle.id],
    );
    expect(order.toSorted()).toEqual([one, two, three].toSorted());
  });

  it('replaces the vote of the same account', async () => {
    const { battle, contenders, blind } = await anOpenVote();
    const [a = '', b = ''] = blind();
    const first = await castVote(eve, { battleId: battle.id, winner: a, comment: 'x' });
    const second = await castVote(eve, { battleId: battle.id.toUpperCase(), winner: b.toUpperCase() });
    expect(second).toMatchObject({ battleId: battle.id, createdAt: first.createdAt, comment: null });
    const [stored, ...others] = await storedVotes(battle.id);
    expect(others).toEqual([]);
    expect(stored).toMatchObject({ comment: null });
    expect(stored?.ranking[0]).toEqual([contenders[1]?.id]);
    expect(await castVote(eve, { battleId: battle.id, tie: true })).toMatchObject({ ranking: [expect.any(Array)] });
    expect((await storedVotes(battle.id))[0]?.ranking).toHaveLength(1);
  });

  it('refuses ids that are not on the ballot of the caller', async () => {
    const { battle, contenders, blind } = await anOpenVote();
    const { blind: elsewhere } = await anOpenVote();
    const wrong = [contenders[0]?.id ?? '', blind(ada)[0] ?? '', elsewhere()[0] ?? '', newId()];
    for (const winner of wrong) {
      expect(await refusal(castVote(eve, { battleId: battle.id, winner }))).toMatchObject({
        code: 'BAD_INPUT',
        details: { issues: [{ path: 'winner' }] },
      });
    }
    expect(await storedVotes(battle.id)).toEqual([]);
  });

  it('refuses contenders, owners of contenders and their AI lensers', async () => {
    const { battle, contenders } = await anOpenVote();
    const vote = { battleId: battle.id, tie: true } as const;
    const ai = await aContender(ada, battle, { contenderType: 'ai_agent', text: 'Beep.' });
    for (const accountId of [contenders[0]?.ownerAccountId ?? '', ai.ownerAccountId, ai.lenserAccountId]) {
      expect(await codeOf(castVote(as(accountId), vote))).toBe('FORBIDDEN');
    }
    const byAi = await anOpenVote('human_vs_human_ai_votes');
    const owner = as(byAi.contenders[0]?.ownerAccountId ?? '');
    const own = await anAiLenser(owner);
    expect(await refusal(castVote(as(own.id), { battleId: byAi.battle.id, tie: true }))).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('their own battle'),
    });
  });

  it('lets AI lensers vote in human_vs_human_ai_votes only, and only people in other battles', async () => {
    const ai = as((await anAiLenser(eve)).id);
    const community = as((await anAccount(fixture.ctx, { kind: 'community' })).id);
    const [byAi, byPeople] = [await anOpenVote('human_vs_human_ai_votes'), await anOpenVote()];
    const of = ({ battle }: OpenBattle) => ({ battleId: battle.id, tie: true }) as const;
    await castVote(ai, of(byAi));
    await castVote(eve, of(byPeople));
    await castVote(ada, of(byPeople));
    const refused: [Context, OpenBattle][] = [
      [eve, byAi],
      [ai, byPeople],
      [community, byPeople],
      [community, byAi],
      [fixture.anonymous, byPeople],
    ];
    for (const [voter, open] of refused) expect(await codeOf(castVote(voter, of(open)))).toBe('FORBIDDEN');
    await ada.db.query('update accounts set disabled_at = now() where id = $1', [ai.actor.accountId]);
    expect(await codeOf(castVote(ai, of(byAi)))).toBe('FORBIDDEN');
  });

  it.each(['draft', 'open', 'executing', 'scoring', 'closed', 'published', 'archived'] as const)(
    'is refused in the status %s',
    async (status) => {
      const { id } = await aBattle(ada, { status });
      expect(await codeOf(castVote(ada, { battleId: id, tie: true }))).toBe('INVALID_TRANSITION');
      const toOthers = status === 'published' ? 'INVALID_TRANSITION' : 'NOT_FOUND';
      expect(await codeOf(castVote(eve, { battleId: id, tie: true }))).toBe(toOthers);
    },
  );

  it('is refused after the vote has ended, also by a process that has seen it open', async () => {
    const { battle } = await anOpenVote();
    await castVote(eve, { battleId: battle.id, tie: true });
    await setBattleStatus(ada, { battleId: battle.id, status: 'scoring' });
    expect(await codeOf(castVote(eve, { battleId: battle.id, tie: true }))).toBe('NOT_FOUND');
    expect(await codeOf(castVote(ada, { battleId: battle.id, tie: true }))).toBe('INVALID_TRANSITION');
  });

  it('accepts the votes of 50 accounts at once, and each once', async () => {
    const { battle, contenders } = await anOpenVote();
    const voters = await Promise.all(Array.from({ length: 50 }, () => fixture.aPerson()));
    const vote = (voter: Context) =>
      castVote(voter, { battleId: battle.id, winner: blindIds(battle, voter, contenders)[0] ?? '' });
    await Promise.all([...voters, ...voters].map(vote));
    const stored = await storedVotes(battle.id);
    expect(stored).toHaveLength(50);
    for (const { ranking } of stored) expect(ranking[0]).toEqual([contenders[0]?.id]);
  });

  it('is counted or refused when the vote ends at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { battle } = await anOpenVote();
      const voters = await Promise.all(Array.from({ length: 12 }, () => fixture.aPerson()));
      const voting = voters.map((voter) => castVote(voter, { battleId: battle.id, tie: true }));
      const ending = setBattleStatus(ada, { battleId: battle.id, status: 'scoring' });
      const outcomes = await Promise.allSettled(voting);
      await ending;
      const cast = outcomes.filter(({ status }) => status === 'fulfilled').length;
      const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as { code: string }] : []));
      for (const { code } of refused) expect(['NOT_FOUND', 'INVALID_TRANSITION']).toContain(code);
      expect(await storedVotes(battle.id)).toHaveLength(cast);
      const counted = cast > 0 ? [`votes.counted ${cast}`] : [];
      expect(await eventsOf(ada, battle.id)).toEqual([...counted, 'status.changed scoring']);
    }
  });
});
