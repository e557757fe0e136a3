import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '@lensforge/embedded';

export const lockName = 'lock.json';

/** The content of the lock of a data folder. */
export interface Holder {
  pid: number;
  began: string;
}

/** The start time of process `pid`, since the system reuses ids. */
export async function readStartTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')')).split(' ')[20] ?? '';
}

export const readJson = async (path: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
};

/** The process id of the platform that uses a folder; undefined without one. */
export async function readHolder(path: string): Promise<number | undefined> {
  const { pid = 0, began } = ((await readJson(join(path, lockName))) ?? {}) as Partial<Holder>;
  return pid > 0 && isAlive(pid) && (await readStartTime(pid)) === began ? pid : undefined;
}
