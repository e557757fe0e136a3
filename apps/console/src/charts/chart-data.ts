export interface ChartLine {
  /** A value for each bucket; null for none. */
  values: readonly (number | null)[];
  shape: 'bars' | 'line';
  colour: 'accent' | 'bad' | 'wait';
  isDashed?: boolean;
}

export interface ChartData {
  /** The beginnings of the buckets, or numbers from 0 on for those with `names`. */
  times: readonly number[];
  /** Names of buckets that are not times. */
  names?: readonly string[];
  bucketMs: number;
  /** The first is drawn below the others. */
  lines: readonly ChartLine[];
  /** The value at the upper edge; without it the highest of all. */
  highest?: number;
  /** The distances that values of the axis may have. */
  steps?: readonly number[];
  /** A value of the axis in words; empty for none. */
  write: (value: number) => string;
  /** Charts of one name follow the pointer together. */
  sync?: string;
  /** Called with the time that is drawn over with the pointer. */
  onChoose?: ((from: number, to: number) => void) | undefined;
}
