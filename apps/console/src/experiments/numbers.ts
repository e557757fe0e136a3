import type { shapes } from '@lensforge/sdk';

const round = (share: number): number => Math.round(share * 1000) / 10;

export const percent = (share: number): string => `${round(share)} %`;

/** A count on an axis, whose values between two counts stay without a text. */
export const whole = (count: number): string => (Number.isInteger(count) ? count.toLocaleString('en') : '');

/** A mean with its interval. */
export const interval = ({ mean, low, high }: shapes.MeanScore): string =>
  `${percent(mean)} (${round(low)} to ${round(high)})`;

const signed = (share: number): string => `${share > 0 ? '+' : ''}${round(share)}`;

/** A difference in points with its interval. */
export const points = ({ mean, low, high }: Pick<shapes.ScoreDifference, 'mean' | 'low' | 'high'>): string =>
  `${signed(mean)} (${signed(low)} to ${signed(high)})`;

/** The condition of a rule in words. */
export function describeRule({ scorer, ...rule }: shapes.GateRule): string {
  const conditions = Object.entries(rule).map(([name, value]) => `${name} ${describeValue(value)}`.trim());
  return [...(scorer === undefined ? [] : [scorer]), ...conditions].join(' ');
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return value === true ? '' : String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name} ${String(each)}`)
    .join(', ');
}
