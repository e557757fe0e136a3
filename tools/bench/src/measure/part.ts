import type { Options } from '../options.js';
import type { Row } from '../report/row.js';
import type { Stage } from '../stage/stage.js';

/** One part of the bench: what it finds out, as rows. */
export type Measure = (stage: Stage, options: Options) => Promise<Row[]>;
