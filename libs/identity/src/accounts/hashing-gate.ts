import { DomainError } from '@lensforge/core';

export interface Gate {
  <T>(work: () => Promise<T>): Promise<T>;
  /** Sends whoever comes now away, if there is no place left, before anything is done for them. */
  look(): void;
}

/** Lets `atOnce` calls in and `queued` more wait; whoever comes beyond that is sent away at once. */
export function gate({ atOnce, queued }: { atOnce: number; queued: number }): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;

  const look = (): void => {
    if (inside < atOnce || waiting.length < queued) return;
    throw new DomainError('THROTTLED', 'Too many people are signing in at this moment: try again in a second', {
      retryAfter: 1,
    });
  };

  const enter = async (): Promise<void> => {
    if (inside < atOnce) {
      inside += 1;
      return;
    }
    look();
    // Whoever leaves hands the place over, so `inside` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  };

  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inside -= 1;
  };

  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return Object.assign(through, { look });
}
