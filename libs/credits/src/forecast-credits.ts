import type { CreditForecast } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readBalance } from './read-balance.js';

const days = 30;
const dayMs = 86_400_000;

/** The smallest id that a row of this time can have, since ids are UUIDs of version 7. */
const toFirstId = (ms: number): string => {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
};

/** The credits that runs of the caller's account have cost on each of the last 30 days (UTC), and how long the rest lasts. */
export async function forecastCredits(ctx: Context): Promise<CreditForecast> {
  const today = Math.floor(ctx.now().getTime() / dayMs) * dayMs;
  const first = today - (days - 1) * dayMs;
  const [{ available }, rows] = await Promise.all([
    readBalance(ctx),
    ctx.db.query<{ day: string; credits: number }[]>(
      `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, sum(amount)::float8 as credits
         from credit_entries where account_id = $1 and id >= $2 and kind = 'capture' group by 1`,
      [ctx.actor.accountId, toFirstId(first)],
    ),
  ]);
  const byDay = new Map(rows.map(({ day, credits }) => [day, credits]));
  const spending = Array.from({ length: days }, (_, at) => {
    const day = new Date(first + at * dayMs).toISOString().slice(0, 10);
    return { day, credits: byDay.get(day) ?? 0 };
  });
  return {
    available,
    ...forecastDays(
      available,
      spending.map(({ credits }) => credits),
    ),
    days: spending,
  };
}

/** The mean of the days since the first run, and the days that the rest lasts at it; null without runs. */
export function forecastDays(
  available: number,
  spending: readonly number[],
): Pick<CreditForecast, 'spent' | 'perDay' | 'daysLeft'> {
  const begun = spending.findIndex((credits) => credits > 0);
  const spent = spending.reduce((sum, credits) => sum + credits, 0);
  const perDay = begun === -1 ? 0 : spent / (spending.length - begun);
  return {
    spent,
    perDay: Math.round(perDay * 100) / 100,
    daysLeft: perDay === 0 ? null : Math.floor(available / perDay),
  };
}
