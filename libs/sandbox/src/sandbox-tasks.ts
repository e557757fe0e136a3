import { join } from 'node:path';
import { Sandbox, type SandboxOptions, type TaskLimits } from './sandbox.js';

/** Functions that can run in the sandbox: JSON to JSON, without side effects. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>;

/** Runs a task by its name, and resolves with its result or with that of its promise. */
export type RunTask<T extends Tasks> = <K extends keyof T & string>(
  task: K,
  input: Parameters<T[K]>[0],
  limits: TaskLimits,
) => Promise<Awaited<ReturnType<T[K]>>>;

/** The path of a compiled module. A child process cannot run TypeScript, so specs use the last build. */
const compiled = (folder: string, file: string): string =>
  join(folder.replace(/([\\/]libs[\\/][^\\/]+[\\/])src(?=[\\/]|$)/, '$1dist'), file);

const defaults: SandboxOptions = {
  program: compiled(import.meta.dirname, 'sandbox-program.js'),
  processes: 2,
  memoryMb: 128,
  timeMs: 1000,
  idleMs: 30_000,
  maxWaiting: 256,
  maxWaitingPerAccount: 64,
  maxWaitMs: 4000,
  onTask: () => undefined,
};

// One sandbox for the process, because its limits apply to the process. It starts nothing before the first task.
let sandbox = new Sandbox(defaults);

/** Sets the limits of this process's sandbox; call it before the first task. */
export function configureSandbox(options: Partial<Omit<SandboxOptions, 'program'>>): void {
  sandbox.close();
  sandbox = new Sandbox({ ...defaults, ...options });
}

export const closeSandbox = (): void => sandbox.close();

/** Opens a sandbox for long tasks of the platform, beside that of users; its tasks may have side effects. */
export const openSandbox = (options: Partial<Omit<SandboxOptions, 'program'>>): Sandbox =>
  new Sandbox({ ...defaults, ...options });

/** Returns a function that runs the tasks of module `file` in `folder`; the module exports them as `tasks`. */
export function sandboxTasks<T extends Tasks>(folder: string, file: string, own?: Sandbox): RunTask<T> {
  const module = compiled(folder, file);
  return <K extends keyof T & string>(task: K, input: Parameters<T[K]>[0], limits: TaskLimits) =>
    (own ?? sandbox).run({ module, task, input, limits }) as Promise<Awaited<ReturnType<T[K]>>>;
}
