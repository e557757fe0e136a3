import type { NodeJob, RunJob } from '@lensforge/contracts';
import type { RunChanges } from '@lensforge/database';
import type { RunOutcome } from '../engine/run-metrics.js';

/** Messages of a worker to an isolated process. */
export type ToIsolatedProcess = { environment: Record<string, string> } | { execute: RunJob | NodeJob };

/** A node has no outcome of its own: its end is in its run. */
export type IsolatedOutcome = RunOutcome | 'ignored' | 'node';

/** `alive` comes every second; a process that does not send it is killed. The worker publishes the changes. */
export type FromIsolatedProcess = { alive: true } | { ended: IsolatedOutcome } | { changes: Partial<RunChanges> };
