import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BattleStatus, BattleSummary, battleStatuses, parse } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { anAiLenser } from '@lensforge/identity/testing';
import { type BattleFixture, battleFixture } from '../test/battle-fixture.js';
import { type BattleFilter, countBattles, listBattles } from './list-battles.js';
import { type BattleHistoryFilter, countBattleHistory, listBattleHistory } from './list-battle-history.js';
import { aBattle, aContender } from './testing.js';

let fixture: BattleFixture;
let creator: Context;
let participant: Context;
let owner: Context;
let stranger: Context;
/** The battles of the creator by their status; the participant and an AI lenser of the owner take part in each. */
let ids: Record<BattleStatus, string>;

beforeAll(async () => {
  fixture = await battleFixture();
});
afterAll(() => fixture.close());

beforeEach(async () => {
  await fixture.source.query('truncate battles cascade');
  [creator, participant, owner, stranger] = (await Promise.all(Array.from({ length: 4 }, () => fixture.aPerson()))) as [
    Context,
    Context,
    Context,
    Context,
  ];
  const { id: ai } = await anAiLenser(owner);
  const made: [BattleStatus, string][] = [];
  for (const status of battleStatuses) {
    const battle = await aBattle(creator, { status, battleType: 'human_vs_ai' });
    await aContender(creator, battle, { lenserAccountId: participant.actor.accountId });
    const ofOwner = { contenderType: 'ai_agent', ownerAccountId: owner.actor.accountId } as const;
    await aContender(creator, battle, { ...ofOwner, lenserAccountId: ai });
    await aContender(creator, battle, ofOwner);
    made.push([status, battle.id]);
  }
  ids = Object.fromEntries(made) as typeof ids;
});

const newestFirst = (statuses: readonly BattleStatus[]): string[] => statuses.map((status) => ids[status]).reverse();
const list = async (ctx: Context, filter: BattleFilter = {}): Promise<string[]> => {
  const { items } = await listBattles(ctx, { ...filter, limit: 100 });
  expect(await countBattles(ctx, filter)).toBe(items.length);
  return items.map(({ id }) => id);
};
const history = async (ctx: Context, filter: BattleHistoryFilter = {}): Promise<string[]> => {
  const { items } = await listBattleHistory(ctx, { ...filter, limit: 100 });
  expect(await countBattleHistory(ctx, filter)).toBe(items.length);
  return items.map(({ id }) => id);
};

describe('listBattles', () => {
  it('lists each battle of its creator and participants once, and published ones to others', async () => {
    for (const caller of [creator, participant, owner]) expect(await list(caller)).toEqual(newestFirst(battleStatuses));
    for (const caller of [stranger, fixture.anonymous]) expect(await list(caller)).toEqual([ids.published]);
    expect(await list(fixture.platform)).toEqual(newestFirst(battleStatuses));
  });

  it('filters by status, type and creator', async () => {
    for (const status of battleStatuses) {
      for (const caller of [creator, participant, owner, fixture.platform]) {
        expect(await list(caller, { status })).toEqual([ids[status]]);
      }
      for (const caller of [stranger, fixture.anonymous]) {
        expect(await list(caller, { status })).toEqual(status === 'published' ? [ids.published] : []);
      }
    }
    const other = await aBattle(stranger, { status: 'published', battleType: 'lenser_battle' });
    for (const caller of [creator, participant, stranger, fixture.anonymous, fixture.platform]) {
      expect(await list(caller, { battleType: 'lenser_battle' })).toEqual([other.id]);
      expect(await list(caller, { battleType: 'ai_vs_ai' })).toEqual([]);
      expect(await list(caller, { creatorId: stranger.actor.accountId.toUpperCase() })).toEqual([other.id]);
    }
    const ofCreator = { creatorId: creator.actor.accountId };
    for (const caller of [creator, participant])
      expect(await list(caller, ofCreator)).toEqual(newestFirst(battleStatuses));
    expect(await list(stranger, ofCreator)).toEqual([ids.published]);
  });

  it('continues at a cursor without gaps or repeats, also when battles are added', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 10; pages += 1) {
      const page = await listBattles(owner, { limit: 3, ...(cursor !== undefined && { cursor }) });
      found.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      await aBattle(owner);
      if (cursor === undefined) break;
    }
    expect(found).toEqual(newestFirst(battleStatuses));
    expect((await listBattles(participant, { limit: 2, offset: 5 })).items.map(({ id }) => id)).toEqual(
      newestFirst(battleStatuses).slice(5, 7),
    );
  });

  it('describes battles without their contenders', async () => {
    const { items } = await listBattles(stranger, { limit: 1 });
    expect(parse(BattleSummary, items[0])).toMatchObject({
      title: 'A battle',
      contenderCount: 3,
      creatorId: creator.actor.accountId,
      closedAt: expect.any(String),
    });
  });
});

describe('listBattleHistory', () => {
  const ended = ['closed', 'published', 'archived'] as const;

  it('lists ended battles that the caller created or took part in', async () => {
    for (const caller of [creator, participant, owner]) expect(await history(caller)).toEqual(newestFirst(ended));
    expect(await history(stranger)).toEqual([]);
    for (const status of ended) expect(await history(participant, { status })).toEqual([ids[status]]);
  });

  it('lists to others those published or shared with them', async () => {
    const [lenserId, ofParticipant] = [creator.actor.accountId.toUpperCase(), participant.actor.accountId];
    for (const caller of [stranger, fixture.anonymous]) {
      expect(await history(caller, { lenserId })).toEqual([ids.published]);
      expect(await history(caller, { lenserId: ofParticipant })).toEqual([ids.published]);
      expect(await history(caller, { lenserId, status: 'closed' })).toEqual([]);
    }
    const alone = await aBattle(creator, { status: 'closed' });
    expect(await history(participant, { lenserId })).toEqual(newestFirst(ended));
    expect(await history(creator, { lenserId: ofParticipant })).toEqual(newestFirst(ended));
    expect(await history(fixture.platform, { lenserId })).toEqual([alone.id, ...newestFirst(ended)]);
  });
});
