import { openSandbox, sandboxTasks } from '@lensforge/sandbox';
import type { Analysis, AnalysisResult, analysisTasks } from './analysis-tasks.js';

/** Statistics have a process of their own beside the sandbox of users: many cases take a second. */
const sandbox = openSandbox({ processes: 1, memoryMb: 512, timeMs: 60_000, idleMs: 5000 });
const run = sandboxTasks<typeof analysisTasks>(import.meta.dirname, 'analysis-tasks.js', sandbox);

export const analyseInSandbox = (analysis: Analysis, account: string): Promise<AnalysisResult> =>
  run('analyse', analysis, { account, ignoreQueueLimit: true, outputBytes: 16_777_216 });
