import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface ExitStatus {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export function waitForExit(child: ChildProcess): Promise<ExitStatus> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve({ code: child.exitCode, signal: child.signalCode });
      return;
    }
    child.once('error', () => resolve({ code: 127, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Passes every output line to `onLine` and returns the last 40 lines, for error messages. */
export function followLines(streams: (Readable | null)[], onLine?: (line: string) => void): string[] {
  const last: string[] = [];
  for (const stream of streams) {
    if (!stream) continue;
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => {
      last.push(line);
      if (last.length > 40) last.shift();
      onLine?.(line);
    });
  }
  return last;
}

export function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([promise, timedOut]).finally(() => clearTimeout(timer));
}

/** Sends the signals one after another, each with a timeout, until the process has ended. */
export async function terminate(
  child: ChildProcess,
  ended: Promise<ExitStatus>,
  ...steps: [NodeJS.Signals, number][]
): Promise<void> {
  for (const [signal, timeoutMs] of steps) {
    child.kill(signal);
    if (await withTimeout(ended, timeoutMs)) return;
  }
  await ended;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const readText = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);
