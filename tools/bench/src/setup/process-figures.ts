import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Cores } from '../report/row.js';

const run = promisify(execFile);

/** Resident memory of a process in MB (10^6 bytes). */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  const kibibytes = status
    ? Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1])
    : Number((await run('ps', ['-o', 'rss=', '-p', `${pid}`])).stdout);
  return (kibibytes * 1024) / 1e6;
}

interface Times {
  parent: number;
  /** Processor time in seconds, including ended children. */
  own: number;
}

const ticksPerSecond = 100;

async function timesOf(pid: number): Promise<Times | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ticks = [11, 12, 13, 14].map((at) => fields[at] ?? 0).reduce((a, b) => a + b);
  return { parent: fields[1] ?? 0, own: ticks / ticksPerSecond };
}

/** Processor time of each named process with its children; empty if the system does not report it. */
async function secondsOf(pids: Readonly<Record<string, number>>): Promise<Map<string, number>> {
  const names = new Map(Object.entries(pids).map(([name, pid]) => [pid, name]));
  const seconds = new Map<string, number>();
  const all = await readdir('/proc').catch(() => []);
  await Promise.all(
    all
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const times = await timesOf(Number(name));
        if (!times) return;
        const of = names.get(Number(name)) ?? names.get(times.parent);
        if (of !== undefined) seconds.set(of, (seconds.get(of) ?? 0) + times.own);
      }),
  );
  return seconds;
}

/** Starts to measure processes; returns a function that returns the share of a core that each has used. */
export async function watchCores(pids: Readonly<Record<string, number>>): Promise<() => Promise<Cores>> {
  const [before, since] = [await secondsOf(pids), performance.now()];
  return async () => {
    const [after, elapsed] = [await secondsOf(pids), (performance.now() - since) / 1000];
    return Object.fromEntries(
      [...after].map(([name, seconds]) => [name, Math.max(0, (seconds - (before.get(name) ?? 0)) / elapsed)]),
    );
  };
}
