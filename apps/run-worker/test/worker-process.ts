import { execFile, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { until } from '@lensforge/testing';

const root = join(import.meta.dirname, '..', '..', '..');
const main = join(root, 'bundle', 'run-worker.js');

/** Builds the bundles that processes run, when they are out of date. */
export const build = () => promisify(execFile)(process.execPath, [join(root, 'tools', 'ready.mjs')], { cwd: root });

export interface WorkerProcess {
  readonly pid: number;
  lines: Record<string, unknown>[];
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
  /** The ids of its child processes. */
  children(): number[];
}

/** Starts a run-worker as in production. */
export async function aProcess(environment: Record<string, string>): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [main], {
    env: { ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Record<string, unknown>[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as (typeof lines)[number]));
  const ended = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const pid = child.pid ?? 0;
  await until(() => lines.some(({ msg }) => msg === 'working') || child.exitCode !== null).catch((reason: unknown) => {
    child.kill('SIGKILL');
    throw reason;
  });
  return { pid, lines, ended, kill: (signal) => void child.kill(signal), children: () => childrenOf(pid) };
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
