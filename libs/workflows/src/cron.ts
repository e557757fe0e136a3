import { badInput } from '@lensforge/core';
import { Cron } from 'croner';

export interface CronPattern {
  cron: string;
  /** An IANA name, such as Europe/Berlin. */
  timeZone: string;
}

/**
 * The ticks of a pattern after a moment. When clocks change, a skipped time of day ticks right after the gap and a
 * repeated one ticks once; a pattern with `*` or a step in minutes or hours ticks at its interval throughout.
 */
export function* ticksAfter(pattern: CronPattern, after: Date): Generator<Date, undefined> {
  const cron = parse(pattern);
  for (let tick = cron.nextRun(after); tick; tick = cron.nextRun(tick)) yield tick;
}

export const tickAfter = (pattern: CronPattern, after: Date): Date | null =>
  ticksAfter(pattern, after).next().value ?? null;

/** Refuses patterns without five valid fields or without any tick, and unknown time zones. */
export function checkCron(pattern: CronPattern): void {
  if (!parse(pattern).nextRun()) throw badInput('cron', `"${pattern.cron}" matches no date`);
}

function parse({ cron, timeZone }: CronPattern): Cron {
  if (!isTimeZone(timeZone)) {
    throw badInput('timeZone', `${timeZone} is not a known time zone: use an IANA name such as Europe/Berlin or UTC`);
  }
  if (!/^(@[a-z]+|[^\s?@]+( +[^\s?@]+){4})$/.test(cron))
    throw badInput(
      'cron',
      `needs five fields (minute hour day month weekday); got ${cron === '' ? 'an empty string' : `"${cron}"`}`,
    );
  try {
    return new Cron(cron, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard' });
  } catch (reason) {
    throw badInput(
      'cron',
      `cannot be read: ${reason instanceof Error ? reason.message.replace(/^CronPattern: /, '') : cron}`,
    );
  }
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
