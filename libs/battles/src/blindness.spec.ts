import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Battle } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { actingAs, anAiLenser } from '@lensforge/identity/testing';
import { type BattleFixture, battleFixture, codeOf } from '../test/battle-fixture.js';
import { listBattleHistory } from './list-battle-history.js';
import { listBattles } from './list-battles.js';
import { readBattle } from './read-battle.js';
import {
  type BattleViewer,
  type BlindBattle,
  aBattle,
  aBlindBattle,
  aContender,
  blindnessCases,
  knowledgeIn,
  objectsIn,
  permittedKnowledge,
} from './testing.js';

let fixture: BattleFixture;
beforeAll(async () => {
  fixture = await battleFixture();
});
afterAll(() => fixture.close());

const viewerOf = ({ accounts }: BlindBattle, viewer: BattleViewer): Context =>
  viewer === 'anonymous caller' ? fixture.anonymous : actingAs(fixture.ctx, accounts[viewer]);

describe('readBattle', () => {
  it.each(blindnessCases)('shows a %s of a battle that is %s no more than permitted', async (viewer, status) => {
    const battle = await aBlindBattle(fixture.ctx, status);
    const call = readBattle(viewerOf(battle, viewer), battle.battleId);
    const permitted = permittedKnowledge(viewer, status);
    if (permitted) expect(knowledgeIn(battle, await call)).toEqual(permitted);
    else expect(await codeOf(call)).toBe('NOT_FOUND');
  });

  it('shows no ballot to a creator who could attribute its texts by elimination', async () => {
    const creator = await fixture.aPerson();
    const battle = await aBattle(creator, { battleType: 'human_vs_ai', status: 'voting' });
    await aContender(creator, battle, { contenderType: 'ai_model', text: 'by the AI lenser' });
    await aContender(creator, battle, { text: 'by the person' });
    const seen = await readBattle(creator, battle.id);
    expect([seen.ballot, seen.submissions.map(({ contentText }) => contentText)]).toEqual([null, ['by the AI lenser']]);
    expect((await readBattle(await fixture.aPerson(), battle.id)).ballot).toHaveLength(2);
  });

  it('shows the ballot to AI lensers alone where they vote, and not to those of participants', async () => {
    const [creator, stranger, participant] = [
      await fixture.aPerson(),
      await fixture.aPerson(),
      await fixture.aPerson(),
    ];
    const battle = await aBattle(creator, { battleType: 'human_vs_human_ai_votes', status: 'voting' });
    await aContender(creator, battle, { lenserAccountId: participant.actor.accountId, text: 'One' });
    await aContender(creator, battle, { text: 'Two' });
    const ballotOf = async (ctx: Context) => (await readBattle(ctx, battle.id)).ballot?.length;
    const ai = async (owner: Context) => actingAs(fixture.ctx, (await anAiLenser(owner)).id);
    expect(await ballotOf(await ai(stranger))).toBe(2);
    for (const ctx of [stranger, participant, await ai(participant)]) expect(await ballotOf(ctx)).toBeUndefined();
    const withPeople = await aBattle(creator, { battleType: 'ai_vs_ai', status: 'voting' });
    await aContender(creator, withPeople, { contenderType: 'ai_model', text: 'One' });
    expect((await readBattle(stranger, withPeople.id)).ballot).toHaveLength(1);
    expect((await readBattle(await ai(stranger), withPeople.id)).ballot).toBeNull();
  });
});

describe('lists', () => {
  it.each(blindnessCases)('show a %s of a battle that is %s no contenders', async (viewer, status) => {
    const battle = await aBlindBattle(fixture.ctx, status);
    const ctx = viewerOf(battle, viewer);
    const { items } = await listBattles(ctx, { limit: 100, creatorId: battle.accounts.creator });
    const { items: ended } = await listBattleHistory(ctx, { limit: 100, lenserId: battle.accounts.creator });
    expect(knowledgeIn(battle, [items, ended])).toEqual({ identities: '', attributed: '', ballot: '' });
    const isListed = permittedKnowledge(viewer, status) !== undefined && !(status === 'voting' && !isInvolved(viewer));
    expect(items).toHaveLength(isListed ? 1 : 0);
  });

  const isInvolved = (viewer: BattleViewer): boolean =>
    viewer === 'creator' || viewer === 'participant' || viewer === 'owner of an AI contender';
});

describe('a participant and voters who share what they see', () => {
  it('find no value that links a text to a contender', async () => {
    const battle = await aBlindBattle(fixture.ctx, 'voting');
    const views = new Map<BattleViewer, Battle>();
    for (const viewer of ['participant', 'voter', 'second voter', 'anonymous caller'] as const) {
      views.set(viewer, await readBattle(viewerOf(battle, viewer), battle.battleId));
    }
    const ofContenders = new Set(marksIn(views.get('participant')?.contenders));
    const texts = new Set(battle.contenders.map(({ text }) => text));
    for (const viewer of ['voter', 'second voter', 'anonymous caller'] as const) {
      const { ballot, contenders } = views.get(viewer) as Battle;
      const marks = marksIn([ballot, contenders]);
      expect(marks.filter((mark) => ofContenders.has(mark))).toEqual([]);
      const others = [...views].filter(([name]) => name !== viewer);
      for (const [, other] of others) {
        const shared = marks.filter((mark) => JSON.stringify([other.ballot, other.contenders]).includes(mark));
        expect(shared.filter((mark) => !texts.has(mark) && !mark.startsWith('Entry '))).toEqual([]);
      }
    }
  });

  const marksIn = (value: unknown): string[] =>
    objectsIn(value).flatMap((each) => Object.values(each).filter((one) => typeof one === 'string'));

  it('find no link in the order of texts, which differs between voters', async () => {
    const creator = await fixture.aPerson();
    const [one, other] = [await fixture.aPerson(), await fixture.aPerson()];
    const letters = ['A', 'B', 'C'];
    const places = new Map(letters.map((letter) => [letter, [0, 0, 0]]));
    let differing = 0;
    for (let count = 0; count < 80; count += 1) {
      const battle = await aBattle(creator, { status: 'voting' });
      for (const text of letters) await aContender(creator, battle, { contenderType: 'ai_model', text });
      const [order, otherOrder] = await Promise.all(
        [one, other].map(async (voter) => (await readBattle(voter, battle.id)).ballot?.map((each) => each.contentText)),
      );
      order?.forEach((letter, place) => {
        const counts = places.get(letter);
        if (counts) counts[place] = (counts[place] ?? 0) + 1;
      });
      if (String(order) !== String(otherOrder)) differing += 1;
      expect(await readBattle(one, battle.id)).toMatchObject({
        ballot: order?.map((contentText) => ({ contentText })),
      });
    }
    // Each contender is in each place of about 27 ballots; fewer than 8 happen once in a million times.
    for (const [letter, counts] of places) {
      expect([letter, counts.every((each) => each >= 8)]).toEqual([letter, true]);
    }
    expect(differing).toBeGreaterThan(40);
  });
});
