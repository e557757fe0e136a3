import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

const source = join(import.meta.dirname, '..');

/** Starts a program of the benchmark as a process that ends with this one. */
export interface Child {
  readonly pid: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

const children = new Set<ChildProcess>();

export function startChild(program: string, environment: Readonly<Record<string, string>>): Child {
  const child = fork(join(source, program), {
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.add(child);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      children.delete(child);
      resolve();
    });
    child.once('error', () => resolve());
  });
  if (child.pid === undefined) throw new Error(`${program} could not be started`);
  return {
    pid: child.pid,
    process: child,
    stop: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

export async function stopChildren(): Promise<void> {
  await Promise.all(
    [...children].map(
      (child) =>
        new Promise<void>((resolve) => {
          child.once('exit', () => resolve());
          child.kill('SIGKILL');
        }),
    ),
  );
}
