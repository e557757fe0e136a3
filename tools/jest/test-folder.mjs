import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const gigabyte = 2 ** 30;

const isMemoryFree = () => {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > 4 * gigabyte && freemem() > 8 * gigabyte;
  } catch {
    return false;
  }
};

/**
 * A folder for all that tests write, in memory where enough of it is free: a database is a thousand files, whose creation on a disk takes longer
 * than most test files.
 */
export const openTestFolder = () => {
  const path = mkdtempSync(join(isMemoryFree() ? memory : tmpdir(), 'lensforge-test-'));
  // The embedded PostgreSQL of a superuser runs as another user.
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
};
