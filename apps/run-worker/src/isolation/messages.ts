import type { RunJob } from '@lensforge/contracts';
import type { RunOutcome } from '../engine/run-metrics.js';

/** Messages of a worker to an isolated process. */
export type ToIsolatedProcess = { environment: Record<string, string> } | { execute: RunJob };

/** `alive` comes every second; a process that does not send it is killed. `endedOf` is the account of a run that has ended. */
export type FromIsolatedProcess = { alive: true } | { ended: RunOutcome | 'ignored' } | { endedOf: string };
