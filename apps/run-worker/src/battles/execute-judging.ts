import type { AppendEvents } from '../engine/run.js';
import type { RunAttempt } from '../engine/attempt.js';
import { RunFailure } from '../engine/run-failure.js';
import type { RunOutput } from '../engine/run-output.js';
import type { WorkerParts } from '../engine/worker-parts.js';

/** Executes a judging run. */
export function executeJudging(_parts: WorkerParts, _attempt: RunAttempt, _append: AppendEvents): Promise<RunOutput> {
  return Promise.reject(new RunFailure('INTERNAL', 'This platform cannot judge battles yet'));
}
