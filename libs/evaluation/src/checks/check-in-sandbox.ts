import { SandboxFault, sandboxTasks } from '@lensforge/sandbox';
import type { CheckScore } from './check-output.js';
import type { CheckTask, checkTasks } from './check-tasks.js';

const run = sandboxTasks<typeof checkTasks>(import.meta.dirname, 'check-tasks.js');

const part = 50;

/** Scores outputs in the sandbox, in the name of an account. */
export async function checkInSandbox(tasks: readonly CheckTask[], account: string): Promise<CheckScore[]> {
  const scores: CheckScore[] = [];
  for (let at = 0; at < tasks.length; at += part)
    scores.push(...(await checkPart(tasks.slice(at, at + part), account)));
  return scores;
}

/** Outputs are scored together; when that exceeds a limit, each alone, so that one does not spoil others. */
async function checkPart(tasks: readonly CheckTask[], account: string): Promise<CheckScore[]> {
  try {
    return await run('checkOutputs', tasks, { account, ignoreQueueLimit: true });
  } catch (reason) {
    if (!(reason instanceof SandboxFault) || !(reason.kind in faults)) throw reason;
    if (tasks.length > 1) {
      const scores: CheckScore[] = [];
      for (const task of tasks) scores.push(...(await checkPart([task], account)));
      return scores;
    }
    return [{ pass: false, score: 0, reason: faults[reason.kind as keyof typeof faults], assertions: [] }];
  }
}

const faults = {
  too_slow: 'the assertions exceed their time limit',
  too_much_memory: 'the assertions exceed their memory limit',
  output_too_large: 'the assertions exceed their result limit',
} as const;
