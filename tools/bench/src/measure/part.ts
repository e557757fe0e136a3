import type { Options } from '../options.js';
import type { Row } from '../report/row.js';
import type { BenchPlatform } from '../setup/bench-platform.js';

/** One part of the benchmark; returns rows. */
export type Measure = (setup: BenchPlatform, options: Options) => Promise<Row[]>;
