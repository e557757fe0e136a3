/** The ranges of time that lists and charts offer, with the length of a bucket of their charts. */
export const ranges = {
  hour: { ms: 3_600_000, interval: 'minute' },
  day: { ms: 86_400_000, interval: 'hour' },
  week: { ms: 604_800_000, interval: 'hour' },
  month: { ms: 2_592_000_000, interval: 'day' },
} as const;

export type RunRange = keyof typeof ranges;
export const rangeNames = Object.keys(ranges) as RunRange[];

/** Two times, of which either may be open. */
export interface TimeSpan {
  from?: string | undefined;
  to?: string | undefined;
}

const dayMs = 86_400_000;
/** The most days of a chart; an answer has at most 1,500 buckets. */
const maxDays = 1400;
const monthMs = ranges.month.ms;

/** The beginning of a range that ends now. */
export const getRangeBegin = (range: RunRange, now = Date.now()): string =>
  new Date(now - ranges[range].ms).toISOString();

/** The times of a range or span, with the length of a bucket that gives a readable number of them. */
export function getSpan(
  span: RunRange | TimeSpan,
  now = Date.now(),
): { from: string; to?: string; interval: 'minute' | 'hour' | 'day' } {
  if (typeof span === 'string') return { from: getRangeBegin(span, now), interval: ranges[span].interval };
  const begin = span.from === undefined ? undefined : Date.parse(span.from);
  const wanted = span.to === undefined ? now : Date.parse(span.to);
  // A span that begins later has a chart, too: an empty one.
  const end = begin !== undefined && begin >= wanted ? begin + dayMs : wanted;
  const from = Math.max(begin ?? end - monthMs, end - maxDays * dayMs);
  const days = (end - from) / dayMs;
  return {
    from: new Date(from).toISOString(),
    to: new Date(end).toISOString(),
    interval: days > 8 ? 'day' : days > 0.25 ? 'hour' : 'minute',
  };
}
