import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NewBattleEvent, battleChannel } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type RunChanges, inTransaction, publishRunChanges } from '@lensforge/database';
import { type BattleFixture, battleFixture, codeOf } from '../../test/battle-fixture.js';
import { lockBattle } from '../access.js';
import { aBattle } from '../testing.js';
import { appendBattleEvents } from './append-battle-events.js';
import { readBattleEvents, readBattlePositions, readableBattleLog } from './read-battle-events.js';

let fixture: BattleFixture;
let ada: Context;
const published: RunChanges['positions'][number][] = [];
beforeAll(async () => {
  fixture = await battleFixture();
  ada = await fixture.aPerson();
  publishRunChanges(fixture.source, ({ positions = [] }) => void published.push(...positions));
});
afterAll(() => fixture.close());

const counted = (votes: number): NewBattleEvent => ({ type: 'votes.counted', payload: { votes } });

async function append(battleId: string, ...votes: number[]): Promise<void> {
  await inTransaction(ada, async (ctx) => {
    await lockBattle(ctx, battleId);
    await appendBattleEvents(ctx, battleId, votes.map(counted));
  });
}

describe('appendBattleEvents', () => {
  it('numbers events from 1 without gaps, also in concurrent transactions', async () => {
    const { id } = await aBattle(ada);
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => append(id, n, n, n)));
    const events = await readBattleEvents(ada, id, 0, 100);
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 18 }, (_, n) => n + 1));
    const times = events.map(({ occurredAt }) => occurredAt);
    expect(times).toEqual(times.toSorted());
    expect(await readBattlePositions(ada, [id])).toEqual([{ id, lastSequence: 18 }]);
    const positions = published
      .filter(({ channel }) => channel === battleChannel(id))
      .map(({ lastSequence }) => lastSequence);
    expect(positions.toSorted((one, other) => one - other)).toEqual([3, 6, 9, 12, 15, 18]);
  });

  it('leaves no gap and publishes nothing when its transaction fails', async () => {
    const { id } = await aBattle(ada);
    await append(id, 1);
    const failed = inTransaction(ada, async (ctx) => {
      await appendBattleEvents(ctx, id, [counted(2)]);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await append(id, 3);
    expect(await readBattleEvents(ada, id, 0, 10)).toMatchObject([
      { battleId: id, sequence: 1, eventType: 'votes.counted', payload: { votes: 1 } },
      { sequence: 2, payload: { votes: 3 } },
    ]);
    expect(published.filter(({ channel }) => channel === battleChannel(id))).toHaveLength(2);
  });

  it('writes nothing for an empty list', async () => {
    const { id } = await aBattle(ada);
    await append(id);
    expect(await readBattlePositions(ada, [id])).toEqual([{ id, lastSequence: 0 }]);
  });
});

describe('readBattleEvents', () => {
  it('returns the next events after a sequence number', async () => {
    const { id } = await aBattle(ada);
    await append(id, 1, 2, 3, 4);
    const page = await readBattleEvents(ada, id, 1, 2);
    expect(page.map(({ sequence }) => sequence)).toEqual([2, 3]);
    expect(await readBattleEvents(ada, id, 4, 2)).toEqual([]);
  });
});

describe('readableBattleLog', () => {
  it('is for callers who may read the battle, and says with which status the stream has ended', async () => {
    const eve = await fixture.aPerson();
    const { id } = await aBattle(ada, { status: 'scoring' });
    expect(await readableBattleLog(ada, id)).toEqual({ id, lastSequence: 0, endedAs: null });
    expect(await codeOf(readableBattleLog(eve, id))).toBe('NOT_FOUND');
    for (const status of ['closed', 'published', 'archived'] as const) {
      const ended = await aBattle(ada, { status });
      expect(await readableBattleLog(ada, ended.id)).toMatchObject({ endedAs: status });
    }
    const open = await aBattle(ada, { status: 'voting' });
    expect(await readableBattleLog(fixture.anonymous, open.id)).toMatchObject({ endedAs: null });
  });
});
