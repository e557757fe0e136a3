import type { Context } from '@lensforge/core';
import type { DelaySettings } from '@lensforge/workflows';
import { type ExecuteNode, failed } from './node-type.js';

const maxMs = 2_592_000_000;

/** Waits for a time without a worker. */
export const delay: ExecuteNode<DelaySettings> = async ({ settings, resolve, state, owner }) => {
  const nowMs = await databaseNow(owner);
  const until = typeof state?.['until'] === 'string' ? state['until'] : toDueTime(settings, resolve, nowMs);
  if (until === undefined) {
    return failed('NOT_A_TIME', `${settings.until === undefined ? 'seconds' : 'until'}: its value is not a time`, {
      retry: 'final',
    });
  }
  const dueMs = Date.parse(until) - nowMs;
  if (dueMs > maxMs) return failed('NOT_A_TIME', 'is longer than 30 days', { retry: 'final' });
  if (dueMs <= 0) return { kind: 'succeeded', output: { until } };
  return { kind: 'waiting', dueMs, until, state: { until } };
};

function toDueTime(
  { seconds, until }: DelaySettings,
  resolve: (value: unknown) => unknown,
  nowMs: number,
): string | undefined {
  const value = resolve(until ?? seconds);
  if (until === undefined) {
    const valid = typeof value === 'number' && Number.isFinite(value) && value >= 0;
    return valid ? new Date(nowMs + Math.min(value * 1000, maxMs + 1)).toISOString() : undefined;
  }
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}

async function databaseNow({ db }: Context): Promise<number> {
  const [row] = await db.query<[{ ms: number }]>(`select (extract(epoch from now()) * 1000)::float8 as ms`);
  return row.ms;
}
