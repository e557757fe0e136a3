import { type CronPattern, tickAfter, ticksAfter } from './cron.js';

export interface DueTicks {
  /** Ticks that were missed because no scheduler was running, the oldest first. */
  late: Date[];
  /** Ticks whose time has just come. */
  fresh: Date[];
  next: Date | null;
}

/** A tick that is found later than this was missed. */
const graceMs = 60_000;
const maxAtOnce = 200;
const farBackMs = 3 * 3_600_000;

/** The ticks of a pattern from `nextAt` until now; of more than 200 ticks only those of the last 3 hours. */
export function dueTicks(pattern: CronPattern, nextAt: Date, now: Date): DueTicks {
  let found = until(pattern, { first: nextAt, now });
  if (found.due.length > maxAtOnce) {
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
    if (tick > now || due.length > maxAtOnce) return { due, next: tick };
    due.push(tick);
  }
  return { due, next: null };
}
