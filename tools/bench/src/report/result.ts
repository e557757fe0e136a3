import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { dirname } from 'node:path';
import type { Judged } from './row.js';

export interface Result {
  takenAt: string;
  commit: string | undefined;
  machine: Readonly<Record<string, string | number>>;
  servers: Readonly<Record<string, string>>;
  options: Readonly<Record<string, string | number>>;
  /** One-minute load average before the start and at the end. */
  load: { before: number; after: number };
  seconds: number;
  rows: readonly Judged[];
}

export const loadNow = (): number => Math.round((loadavg()[0] ?? 0) * 100) / 100;

export function machine(): Result['machine'] {
  return {
    system: `${platform()} ${arch()}`,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 1e9),
    node: process.version,
  };
}

export function commitOf(folder: string): string | undefined {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? ' and changes' : '');
  } catch {
    return undefined;
  }
}

export async function writeResult(file: string, result: Result): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
}
