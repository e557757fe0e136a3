import type { Options } from '../options.js';
import type { Row } from '../report/row.js';
import type { BenchPlatform } from '../stage/bench-platform.js';

/** One part of the bench: what it finds out, as rows. */
export type Measure = (stage: BenchPlatform, options: Options) => Promise<Row[]>;
