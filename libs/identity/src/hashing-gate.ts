import { DomainError } from '@lensforge/core';

/** Lets `atOnce` calls in and `queued` more wait; whoever comes beyond that is sent away at once. */
export function gate({
  atOnce,
  queued,
}: {
  atOnce: number;
  queued: number;
}): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let inside = 0;

  const enter = async (): Promise<void> => {
    if (inside < atOnce) {
      inside += 1;
      return;
    }
    if (waiting.length >= queued) {
      throw new DomainError('THROTTLED', 'Too many people are signing in at this moment: try again in a second', {
        retryAfter: 1,
      });
    }
    // Whoever leaves hands the place over, so `inside` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  };

  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inside -= 1;
  };

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
