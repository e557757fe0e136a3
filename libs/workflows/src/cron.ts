import { DomainError } from '@lensforge/core';
import { Cron } from 'croner';

export interface CronPattern {
  cron: string;
  /** An IANA name, such as Europe/Berlin. */
  timeZone: string;
}

/**
 * The ticks of a pattern after a moment, as instants. A time of day that a change of clocks leaves out comes right after
 * the gap, and one that it brings twice comes once. A pattern with `*` or a step in minutes or hours goes on without a
 * gap through both.
 */
export function ticksAfter(pattern: CronPattern, after: Date, most: number): Date[] {
  return readCron(pattern).nextRuns(most, after);
}

export const tickAfter = (pattern: CronPattern, after: Date): Date | null => readCron(pattern).nextRun(after);

/** Five fields and a known time zone, or BAD_INPUT that says what is wrong. */
export function readCron({ cron, timeZone }: CronPattern): Cron {
  if (!isTimeZone(timeZone)) {
    throw new DomainError(
      'BAD_INPUT',
      `timeZone: ${timeZone} is no time zone known here, such as Europe/Berlin or UTC`,
    );
  }
  const refuse = (why: string): DomainError =>
    new DomainError('BAD_INPUT', `cron: has five fields, minute hour day month weekday: ${why}`);
  if (!/^(@[a-z]+|[^\s?@]+( +[^\s?@]+){4})$/.test(cron)) throw refuse(`${cron || 'nothing'} has not`);
  let read: Cron;
  try {
    read = new Cron(cron, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard' });
  } catch (reason) {
    throw refuse(reason instanceof Error ? reason.message.replace(/^CronPattern: /, '') : 'cannot be read');
  }
  if (!read.nextRun()) throw refuse(`${cron} never comes`);
  return read;
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
