import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const gigabyte = 2 ** 30;
const name = 'lensforge-test';

const isMemoryFree = () => {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > 4 * gigabyte && freemem() > 8 * gigabyte;
  } catch {
    return false;
  }
};

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const remove = (path) => rmSync(path, { recursive: true, force: true, maxRetries: 3 });

/** Removes the folders of processes that were killed. */
const removeLeftFolders = (base) => {
  for (const entry of readdirSync(base)) {
    const [, pid] = new RegExp(`^${name}-(\\d+)-`).exec(entry) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(base, entry));
  }
};

/**
 * A folder for all that tests write, in memory where enough of it is free: a database is a thousand files, whose creation on a disk takes longer
 * than most test files. It is removed when the process ends.
 */
export const openTestFolder = () => {
  const base = isMemoryFree() ? memory : tmpdir();
  removeLeftFolders(base);
  const path = mkdtempSync(join(base, `${name}-${process.pid}-`));
  // The embedded PostgreSQL of a superuser runs as another user.
  chmodSync(path, 0o755);
  process.once('exit', () => remove(path));
  return { path, remove: () => remove(path) };
};
