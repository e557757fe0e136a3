import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Cores } from '../report/row.js';

const run = promisify(execFile);

/** Resident memory of a process in MB (10^6 bytes), as the system accounts it. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
  const kibibytes = status
    ? Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1])
    : Number((await run('ps', ['-o', 'rss=', '-p', `${pid}`])).stdout);
  return (kibibytes * 1024) / 1e6;
}

interface Times {
  parent: number;
  /** Seconds on a processor, ended children included. */
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

/** Processor time so far of each named process with its children; nothing where the system does not tell. */
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

/** Begins to watch processes; the answer says what share of a core each has used since. */
export async function watchCores(pids: Readonly<Record<string, number>>): Promise<() => Promise<Cores>> {
  const [before, since] = [await secondsOf(pids), performance.now()];
  return async () => {
    const [after, elapsed] = [await secondsOf(pids), (performance.now() - since) / 1000];
    return Object.fromEntries(
      [...after].map(([name, seconds]) => [name, Math.max(0, (seconds - (before.get(name) ?? 0)) / elapsed)]),
    );
  };
}
