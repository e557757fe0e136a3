import { DomainError } from '@lensforge/core';

export interface ConcurrencyLimiter {
  <T>(work: () => Promise<T>): Promise<T>;
  /** Throws THROTTLED when all slots and queue positions are in use. */
  requireCapacity(): void;
}

/** Runs at most `concurrency` calls and queues `queued` more; further calls fail at once. */
export function concurrencyLimiter({
  concurrency,
  queued,
}: {
  concurrency: number;
  queued: number;
}): ConcurrencyLimiter {
  const waiting: (() => void)[] = [];
  let running = 0;

  const requireCapacity = (): void => {
    if (running < concurrency || waiting.length < queued) return;
    throw new DomainError('THROTTLED', 'Too many people are signing in at this moment: try again in a second', {
      retryAfter: 1,
    });
  };

  const acquire = async (): Promise<void> => {
    if (running < concurrency) {
      running += 1;
      return;
    }
    requireCapacity();
    // A finished call passes its slot on, so `running` does not change.
    await new Promise<void>((resolve) => waiting.push(resolve));
  };

  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };

  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    await acquire();
    try {
      return await work();
    } finally {
      release();
    }
  };
  return Object.assign(limited, { requireCapacity });
}
