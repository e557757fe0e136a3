import type { Issue } from '@lensforge/contracts';
import { SandboxFault, type TaskLimits, sandboxTasks } from '@lensforge/sandbox';
import type { Check, CheckResult } from './checks.js';
import type { judgingTasks } from './judging-tasks.js';

const run = sandboxTasks<typeof judgingTasks>(import.meta.dirname, 'judging-tasks.js');

/** The first fault of each check: in its pattern, schema or expression. Throws SandboxFault. */
export const faultsInChecks = (checks: readonly Check[], limits: TaskLimits): Promise<Issue[]> =>
  run('faultsInChecks', checks, limits);

/** Checks a text in the sandbox. A check that exceeds a limit scores 0; throws SandboxFault when the sandbox is busy. */
export async function runCheck(check: Check, text: string, limits: TaskLimits): Promise<CheckResult> {
  try {
    return await run('runCheck', { check, text }, limits);
  } catch (reason) {
    if (!(reason instanceof SandboxFault) || reason.kind === 'busy') throw reason;
    return { score: 0, reason: faults[reason.kind] };
  }
}

const faults = {
  too_slow: 'makes the check exceed its time limit',
  too_much_memory: 'makes the check exceed its memory limit',
  output_too_large: 'makes the check exceed its result limit',
  failed: 'could not be checked',
} as const;
