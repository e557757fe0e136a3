import type { AccountRateClass } from '@lensforge/contracts';
import { DomainError } from '@lensforge/core';

/** The rate class of lens runs (execute) or workflow runs (run). */
export type RunRate = Extract<AccountRateClass, 'execute' | 'run'>;

export interface ExceededRate {
  /** Runs a minute. */
  limit: number;
  /** Seconds until another run is allowed. */
  retryAfter: number;
}

/** Counts a run in the rate class of its account; returns the limit if it is exceeded. */
export type CountRun = (accountId: string, rate: RunRate) => Promise<ExceededRate | undefined>;

const nouns: Readonly<Record<RunRate, string>> = { execute: 'executions of lenses', run: 'workflow runs' };

/** Counts a run, or refuses it until the next window begins. */
export async function requireRunRate(countRun: CountRun, accountId: string, rate: RunRate): Promise<void> {
  const exceeded = await countRun(accountId, rate);
  if (!exceeded) return;
  const { limit, retryAfter } = exceeded;
  throw new DomainError(
    'RATE_LIMITED',
    `This account may start ${limit} ${nouns[rate]} a minute; try again in ${retryAfter} s`,
    { reason: 'rate', limit, retryAfter },
  );
}
