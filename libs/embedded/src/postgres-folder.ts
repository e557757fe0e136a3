import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ensureWritable } from './ensure-writable.js';
import { waitForExit, followLines, isAlive, pause, readText } from './child-process.js';
import type { Binaries } from './postgres-binaries.js';
import { type Runner, findRunner } from './postgres-runner.js';
import { ServerFault } from './server-fault.js';

export interface DataFolder {
  path: string;
  password: string;
  runner: Runner;
}

const passwordFile = 'lensforge.password';
const ownerFile = 'lensforge.owner';
export const superuser = 'lensforge';

async function writeFor(runner: Runner, path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  if (runner.uid !== undefined) await chown(path, runner.uid, runner.gid ?? runner.uid);
}

/** The built-in locale provider exists from PostgreSQL 17 on. */
const listLocaleArguments = ({ major }: Binaries): string[] =>
  Number(major) < 17
    ? ['--locale', 'C.UTF-8']
    : ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];

/** The programs of a data folder, and the data folder of a stopped server of theirs whose copy a new one begins with. */
export interface Origin {
  installed?: string | undefined;
  copyOf?: string | undefined;
}

async function initialise(dataDir: string, { installed, copyOf }: Origin): Promise<DataFolder> {
  const partial = `${dataDir}.new-${process.pid}`;
  const passwordPath = `${partial}.password`;
  try {
    await mkdir(partial, { mode: 0o700 });
    // Node's own copying takes ten times as long, and loses the owner.
    if (copyOf !== undefined) {
      await promisify(execFile)('cp', ['-a', `${copyOf}/.`, partial]);
      await rename(partial, dataDir);
      return await openFolder(dataDir, { installed });
    }
    const runner = await findRunner(dataDir, partial, installed);
    const password = randomBytes(18).toString('hex');
    await writeFor(runner, passwordPath, `${password}\n`);
    const child = runner.start(runner.binaries.initdb, [
      ...['--pgdata', partial, '--username', superuser, '--pwfile', passwordPath, '--auth', 'scram-sha-256'],
      ...['--encoding', 'UTF8', ...listLocaleArguments(runner.binaries)],
      ...['--no-sync', '--no-instructions'],
    ]);
    const output = followLines([child.stdout, child.stderr]);
    const { code } = await waitForExit(child);
    if (code !== 0) {
      throw new ServerFault(
        `initdb could not create a PostgreSQL database in ${dataDir}: ${output.slice(-3).join(' ')}`,
      );
    }
    await writeFor(runner, join(partial, passwordFile), password);
    await rename(partial, dataDir);
    return { path: dataDir, password, runner };
  } finally {
    await rm(partial, { recursive: true, force: true });
    await rm(passwordPath, { force: true });
  }
}

/** Opens the data folder; initialises it under a temporary name if it is missing. */
export async function openFolder(folder: string, origin: Origin = {}): Promise<DataFolder> {
  const { installed } = origin;
  const path = resolve(folder);
  await ensureWritable(dirname(path));
  const files = existsSync(path) ? await readdir(path).catch(() => undefined) : [];
  if (!files)
    throw new ServerFault(`The data folder ${path} belongs to another user: start as that user, or remove it.`);
  if (files.length === 0) return initialise(path, origin);

  const runner = await findRunner(path, path, installed);
  const major = (await readText(join(path, 'PG_VERSION')))?.trim();
  const password = await readText(join(path, passwordFile));
  if (major === undefined || password === undefined) {
    throw new ServerFault(
      `The folder ${path} contains other files and no embedded PostgreSQL database: move them or choose another folder.`,
    );
  }
  if (major !== runner.binaries.major) {
    throw new ServerFault(
      `The data in ${path} was written by PostgreSQL ${major}, and this is ${runner.binaries.version}: remove it to start with an empty database.`,
    );
  }
  return { path, password, runner };
}

async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await readText(`/proc/${pid}/cmdline`);
  const [program] = command?.split('\0', 1) ?? [];
  return program === undefined ? process.platform !== 'linux' : program.includes('postgres');
}

/**
 * Removes postmaster.pid when it is stale or names another program. Stops a server whose owner process has ended; throws
 * when the owner still runs.
 */
export async function removeStaleLock({ path }: DataFolder): Promise<void> {
  const lock = join(path, 'postmaster.pid');
  const pid = Number((await readText(lock))?.split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  const owner = Number(await readText(join(path, ownerFile)));
  const deadline = Date.now() + 15_000;
  while (await isPostgres(pid)) {
    if (isAlive(owner) || Date.now() > deadline) {
      throw new ServerFault(`A PostgreSQL server (process ${pid}) is already running on ${path}: stop it first.`);
    }
    process.kill(pid, 'SIGINT');
    await pause(200);
  }
  await rm(lock, { force: true });
}

export const claimFolder = ({ path, runner }: DataFolder): Promise<void> =>
  writeFor(runner, join(path, ownerFile), `${process.pid}`);
