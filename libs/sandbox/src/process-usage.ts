import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;
const pageBytes = 4096;

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
};

/** Processor time of a process in milliseconds; undefined where the system has no /proc. */
export function processorMs(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name in parentheses can contain blanks; user and system time are the 12th and 13th fields after it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields?.[11]) + Number(fields?.[12]);
  return Number.isFinite(ticks) ? (ticks * 1000) / ticksPerSecond : undefined;
}

/** Resident memory of a process in bytes; undefined where the system has no /proc. */
export function residentBytes(pid: number): number | undefined {
  const pages = Number(read(`/proc/${pid}/statm`)?.split(' ')[1]);
  return Number.isFinite(pages) ? pages * pageBytes : undefined;
}
