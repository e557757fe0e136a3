import type { AccountRateClass } from '@lensforge/contracts';
import { DomainError } from '@lensforge/core';

/** The rate class of executions of lenses, or of runs of workflows. */
export type RunRate = Extract<AccountRateClass, 'execute' | 'run'>;

export interface ExceededRate {
  /** Runs a minute. */
  limit: number;
  /** Seconds until there is room for another. */
  retryAfter: number;
}

/** Counts a run in the rate class of its account; answers undefined, or why it could not be counted. */
export type CountRun = (accountId: string, rate: RunRate) => Promise<ExceededRate | undefined>;

const what: Readonly<Record<RunRate, string>> = { execute: 'executions of lenses', run: 'workflow runs' };

/** Counts a run, or refuses it until the next window. */
export async function requireRunRate(countRun: CountRun, accountId: string, rate: RunRate): Promise<void> {
  const usedUp = await countRun(accountId, rate);
  if (!usedUp) return;
  const { limit, retryAfter } = usedUp;
  throw new DomainError(
    'RATE_LIMITED',
    `This account may start ${limit} ${what[rate]} a minute; try again in ${retryAfter} s`,
    { reason: 'rate', limit, retryAfter },
  );
}
