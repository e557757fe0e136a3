import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureWritable } from '@lensforge/embedded';
import { type Holder, lockName, readHolder, readJson, readStartTime } from './holder.js';
import { StartupError } from './startup-error.js';

/** The folder with the data that a platform keeps between starts. */
export interface Home {
  path: string;
  postgresData: string;
  masterKey: string;
  /** The master key of BYOK keys: for run-workers only. */
  byokMasterKey: string;
  /** The password of the database role of services. */
  databasePassword: string;
  /** The previous platform did not stop cleanly; its processes may still be ending. */
  abandoned: boolean;
  read(name: string): Promise<unknown>;
  write(name: string, content: unknown): Promise<void>;
  remove(name: string): Promise<void>;
  /** Releases the folder for another platform. */
  leave(): Promise<void>;
}

async function writeSafely(path: string, text: string, flag: 'w' | 'wx' = 'w'): Promise<void> {
  if (flag === 'wx') return writeFile(path, text, { mode: 0o600, flag });
  const half = `${path}.${process.pid}`;
  await writeFile(half, text, { mode: 0o600 });
  await rename(half, path);
}

/** True if the previous platform left its lock. */
async function lock(path: string): Promise<boolean> {
  let abandoned = false;
  const file = join(path, lockName);
  const mine: Holder = { pid: process.pid, began: await readStartTime(process.pid) };
  for (;;) {
    try {
      await writeSafely(file, JSON.stringify(mine), 'wx');
      return abandoned;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const pid = await readHolder(path);
      if (pid !== undefined) {
        throw new StartupError(
          `A platform (process ${pid}) is already running in ${path}: stop it with npm start -- --stop, or start this one with another LENSFORGE_HOME and LENSFORGE_PORT_BASE.`,
        );
      }
      await rm(file, { force: true });
      abandoned = true;
    }
  }
}

async function keepSecret(path: string, name: string): Promise<string> {
  const file = join(path, name);
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known) return known.trim();
  const key = randomBytes(32).toString('base64');
  await writeSafely(file, `${key}\n`);
  return key;
}

const kept = [
  'postgres',
  'postgres-binaries',
  'demo.json',
  'dev.json',
  'provider-keys.json',
  'master.key',
  'byok-master.key',
  'database.password',
];

export async function openHome(path: string, { fresh = false } = {}): Promise<Home> {
  await ensureWritable(path);
  const abandoned = await lock(path);
  const leave = (): Promise<void> => rm(join(path, lockName), { force: true });
  try {
    const gone = fresh ? kept : ['dev.json'];
    await Promise.all(gone.map((name) => rm(join(path, name), { recursive: true, force: true })));
    const masterKey = await keepSecret(path, 'master.key');
    const byokMasterKey = await keepSecret(path, 'byok-master.key');
    const databasePassword = await keepSecret(path, 'database.password');
    return {
      path,
      postgresData: join(path, 'postgres'),
      masterKey,
      byokMasterKey,
      databasePassword,
      abandoned,
      read: (name) => readJson(join(path, name)),
      write: (name, content) => writeSafely(join(path, name), `${JSON.stringify(content, null, 2)}\n`),
      remove: (name) => rm(join(path, name), { force: true }),
      leave,
    };
  } catch (error) {
    await leave();
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new StartupError(`The folder ${path} holds files of another user: choose another with LENSFORGE_HOME.`, {
      cause: error,
    });
  }
}
