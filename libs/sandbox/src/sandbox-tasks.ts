import { join } from 'node:path';
import type { SandboxOptions, TaskLimits } from './sandbox.js';
import { Sandbox } from './sandbox.js';

/** Functions of a module that can be carried out in the sandbox: of JSON to JSON, without side effects. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>;

/** Carries out one of the tasks by its name. */
export type RunTask<T extends Tasks> = <K extends keyof T & string>(
  task: K,
  input: Parameters<T[K]>[0],
  limits: TaskLimits,
) => Promise<ReturnType<T[K]>>;

/**
 * The compiled file of a module in the same folder. A child process cannot run TypeScript: specs, which run from source,
 * use what the last build made of it.
 */
const compiled = (folder: string, file: string): string => join(folder.replace(/([\\/])src$/, '$1dist'), file);

const usual: SandboxOptions = {
  program: compiled(import.meta.dirname, 'sandbox-program.js'),
  processes: 2,
  memoryMb: 128,
  timeMs: 1000,
  idleMs: 30_000,
  mostWaiting: 256,
  mostWaitingPerAccount: 64,
  longestWaitMs: 4000,
  onTask: () => undefined,
};

// A process has one sandbox, as the processors that it bounds are there once. It starts nothing before the first task.
let sandbox = new Sandbox(usual);

/** Sets the limits of the sandbox of this process, before its first task. */
export function configureSandbox(options: Partial<Omit<SandboxOptions, 'program'>>): void {
  sandbox.close();
  sandbox = new Sandbox({ ...usual, ...options });
}

export const closeSandbox = (): void => sandbox.close();

/** The tasks of the module `file`, which lies in the folder of the caller and exports them as `tasks`. */
export function sandboxTasks<T extends Tasks>(folder: string, file: string): RunTask<T> {
  const module = compiled(folder, file);
  return async (task, input, limits) =>
    (await sandbox.run({ module, task, input, limits })) as ReturnType<T[typeof task]>;
}
