import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { forecastDays } from './forecast-credits.js';
import { forecastCredits } from './index.js';
import { grantTestCredits } from './testing.js';

const dayMs = 86_400_000;

describe('the forecast', () => {
  it('is the mean of the days since the first run', () => {
    expect(forecastDays(100, [0, 0, 30, 0, 30])).toEqual({ spent: 60, perDay: 20, daysLeft: 5 });
    expect(forecastDays(19, [0, 20])).toEqual({ spent: 20, perDay: 20, daysLeft: 0 });
  });

  it('is open without runs', () => {
    expect(forecastDays(100, [0, 0])).toEqual({ spent: 0, perDay: 0, daysLeft: null });
  });
});

describe('forecastCredits', () => {
  let database: TestDatabase;
  let ctx: Context;
  beforeAll(async () => {
    database = await openTestDatabase();
    ({ ctx } = database);
  });
  afterAll(() => database.close());

  const idAt = (at: Date): string => {
    const digits = at.getTime().toString(16).padStart(12, '0');
    return `${digits.slice(0, 8)}-${digits.slice(8)}${newId().slice(13)}`;
  };
  const anAccount = async (): Promise<Context> => {
    const accountId = newId();
    await ctx.db.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', $2, 'x')`, [
      accountId,
      `a-${accountId}`,
    ]);
    await grantTestCredits(ctx, accountId, 1000);
    return { ...ctx, actor: { ...ctx.actor, accountId } };
  };
  const spend = async (by: Context, at: Date, amount: number, kind = 'capture'): Promise<void> => {
    await ctx.db.query(
      `insert into credit_entries (id, account_id, run_id, part, kind, debit, credit, amount, created_at)
       values ($1, $2, $3, '', $4, 'held', 'spent', $5, $6)`,
      [idAt(at), by.actor.accountId, newId(), kind, amount, at],
    );
  };

  it('has the cost of runs of the account on each of 30 days', async () => {
    const [by, other] = [await anAccount(), await anAccount()];
    const now = new Date('2026-11-20T12:00:00Z');
    const ago = (days: number): Date => new Date(now.getTime() - days * dayMs);
    await spend(by, ago(0), 5);
    await spend(by, ago(0), 6);
    await spend(by, ago(3), 9);
    await spend(by, ago(3), 9, 'hold');
    await spend(by, ago(30), 700);
    await spend(other, ago(1), 70);
    const forecast = await forecastCredits({ ...by, now: () => now });
    expect(forecast.days).toHaveLength(30);
    expect(forecast.days.filter(({ credits }) => credits > 0)).toEqual([
      { day: '2026-11-17', credits: 9 },
      { day: '2026-11-20', credits: 11 },
    ]);
    expect(forecast).toMatchObject({ available: 1000, spent: 20, perDay: 5, daysLeft: 200 });
  });
});
