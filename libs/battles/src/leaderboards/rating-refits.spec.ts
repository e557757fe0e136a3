import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { aPublishedBattle } from '../testing.js';
import { listLeaderboard } from './list-leaderboard.js';
import { markRatingsDue } from './mark-ratings-due.js';
import { RatingRefits } from './rating-refits.js';

let database: TestDatabase;
let ctx: Context;
let refits: RatingRefits;
const key = { battleType: 'ai_vs_ai', source: 'votes', covariates: 'none' } as const;

beforeAll(async () => {
  database = await openTestDatabase();
  const { id } = await anAccount(database.ctx);
  ctx = actingAs(database.ctx, id);
  await aPublishedBattle(ctx, ['Ada', 'Ben'], { votes: [[['Ada'], ['Ben']]] });
});
afterEach(() => refits.close());
afterAll(() => database.close());

function open(url = database.url): RatingRefits {
  const timing = { delayMs: 0, pauseMs: 0 };
  return new RatingRefits({ ...timing, memoryMb: 256, database: { url, timeoutFactor: 4 } });
}

const aDueType = async (): Promise<void> => {
  await ctx.db.query('delete from rating_refits');
  await markRatingsDue(ctx, key.battleType);
};

const state = async (): Promise<object | undefined> => {
  const [row] = await ctx.db.query<object[]>(
    'select changed_at is not null as due, leased_until is not null as leased from rating_refits',
  );
  return row;
};

describe('RatingRefits', () => {
  it('refits a type that is due in another process', async () => {
    refits = open();
    await aDueType();
    expect(await refits.refitNext(ctx, new AbortController().signal)).toMatchObject({ battleType: key.battleType });
    const { items } = await listLeaderboard(ctx, { ...key, limit: 10 });
    expect(items.map(({ displayName }) => displayName)).toEqual(['Ada', 'Ben']);
    expect(await state()).toEqual({ due: false, leased: false });
    expect(await refits.refitNext(ctx, new AbortController().signal)).toBeUndefined();
  });

  it('leaves the leaderboard as it is and the type due when the computation fails', async () => {
    refits = open(`${database.url}-that-does-not-exist`);
    await aDueType();
    await expect(refits.refitNext(ctx, new AbortController().signal)).rejects.toThrow('does not exist');
    expect(await state()).toEqual({ due: true, leased: false });
    expect((await listLeaderboard(ctx, { ...key, limit: 10 })).total).toBe(2);
  });

  it('stops the computation when the worker stops', async () => {
    refits = open();
    await aDueType();
    const stopping = new AbortController();
    const refitted = refits.refitNext(ctx, stopping.signal);
    while (!((await state()) as { leased: boolean }).leased);
    stopping.abort();
    expect(await refitted).toBeUndefined();
    expect(await state()).toEqual({ due: true, leased: false });
  });
});
