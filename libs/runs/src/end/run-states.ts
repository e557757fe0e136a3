import type { RunStatus } from '@lensforge/contracts';
import { type StateMachine, stateMachine } from '@lensforge/core';

export const runStates: StateMachine<RunStatus> = stateMachine('queued', {
  queued: ['running', 'canceled', 'timed_out'],
  running: ['queued', 'succeeded', 'failed', 'canceled', 'timed_out'],
  succeeded: [],
  failed: [],
  canceled: [],
  timed_out: [],
});
