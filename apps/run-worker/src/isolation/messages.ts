import type { RunJob } from '@lensforge/contracts';
import type { RunChanges } from '@lensforge/database';
import type { RunOutcome } from '../engine/run-metrics.js';

/** Messages of a worker to an isolated process. */
export type ToIsolatedProcess = { environment: Record<string, string> } | { execute: RunJob };

/** `alive` comes every second; a process that does not send it is killed. The worker publishes the changes. */
export type FromIsolatedProcess =
  { alive: true } | { ended: RunOutcome | 'ignored' } | { changes: Partial<RunChanges> };
