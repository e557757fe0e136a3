import type { CronPattern } from '@lensforge/workflows';
import { tickAfter, ticksAfter } from '@lensforge/workflows';

export interface TicksDue {
  /** Nobody was there for them; the oldest first. */
  late: Date[];
  /** They come now. */
  fresh: Date[];
  next: Date | null;
}

/** A tick that is seen so long after its time was missed. */
export const graceMs = 60_000;
const mostAtOnce = 200;
const farBackMs = 3 * 3_600_000;

/** The ticks from the one that was next until now. After a very long time only those of the last 3 hours are told one by one. */
export function ticksDue(pattern: CronPattern, nextAt: Date, now: Date): TicksDue {
  let found = until(pattern, { first: nextAt, now });
  if (found.due.length > mostAtOnce) {
    const first = tickAfter(pattern, new Date(now.getTime() - farBackMs));
    if (first) found = until(pattern, { first, now });
  }
  const isLate = (tick: Date): boolean => now.getTime() - tick.getTime() > graceMs;
  return {
    late: found.due.filter(isLate),
    fresh: found.due.filter((tick) => !isLate(tick)),
    next: found.next,
  };
}

function until(pattern: CronPattern, { first, now }: { first: Date; now: Date }): { due: Date[]; next: Date | null } {
  if (first > now) return { due: [], next: first };
  const due = [first];
  for (const tick of ticksAfter(pattern, first)) {
    if (tick > now || due.length > mostAtOnce) return { due, next: tick };
    due.push(tick);
  }
  return { due, next: null };
}
