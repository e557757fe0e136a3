import type { RunStatus } from '@lensforge/contracts';
import { stateMachine } from '@lensforge/core';

export const runStates = stateMachine<RunStatus>('queued', {
  queued: ['running', 'canceled', 'timed_out'],
  running: ['queued', 'succeeded', 'failed', 'canceled', 'timed_out'],
  succeeded: [],
  failed: [],
  canceled: [],
  timed_out: [],
});
