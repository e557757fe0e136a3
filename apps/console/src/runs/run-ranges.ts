/** The ranges of time that lists and charts offer, with the length of a bucket of their charts. */
export const ranges = {
  hour: { ms: 3_600_000, interval: 'minute' },
  day: { ms: 86_400_000, interval: 'hour' },
  week: { ms: 604_800_000, interval: 'hour' },
  month: { ms: 2_592_000_000, interval: 'day' },
} as const;

export type RunRange = keyof typeof ranges;
export const rangeNames = Object.keys(ranges) as RunRange[];

/** The beginning of a range that ends now. */
export const getRangeBegin = (range: RunRange, now = Date.now()): string =>
  new Date(now - ranges[range].ms).toISOString();
