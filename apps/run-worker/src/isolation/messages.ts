import type { RunJob } from '@lensforge/contracts';
import type { RunOutcome } from '../engine/run-metrics.js';

/** What a worker says to the process that executes its isolated runs. */
export type ToIsolatedProcess = { environment: Record<string, string> } | { execute: RunJob };

/** `alive` comes every second: a process that is too busy or frozen to say it is ended. `endedOf` is the account whose run has. */
export type FromIsolatedProcess = { alive: true } | { ended: RunOutcome | 'ignored' } | { endedOf: string };
