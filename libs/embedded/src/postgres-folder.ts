import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ensureWritable } from './ensure-writable.js';
import { exitOf, followLines, isAlive, pause, readText } from './child-process.js';
import type { Binaries } from './postgres-binaries.js';
import type { Runner } from './postgres-runner.js';
import { findRunner } from './postgres-runner.js';
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

/** Before 17 there is no locale of PostgreSQL's own. */
const localeOf = ({ major }: Binaries): string[] =>
  Number(major) < 17
    ? ['--locale', 'C.UTF-8']
    : ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];

async function initialise(dataDir: string, installed: string | undefined): Promise<DataFolder> {
  const half = `${dataDir}.new-${process.pid}`;
  const secret = `${half}.password`;
  try {
    await mkdir(half, { mode: 0o700 });
    const runner = await findRunner(dataDir, half, installed);
    const password = randomBytes(18).toString('hex');
    await writeFor(runner, secret, `${password}\n`);
    const child = runner.start(runner.binaries.initdb, [
      ...['--pgdata', half, '--username', superuser, '--pwfile', secret, '--auth', 'scram-sha-256'],
      ...['--encoding', 'UTF8', ...localeOf(runner.binaries)],
      ...['--no-sync', '--no-instructions'],
    ]);
    const words = followLines([child.stdout, child.stderr]);
    const { code } = await exitOf(child);
    if (code !== 0) {
      throw new ServerFault(
        `The folder ${dataDir} could not be made a PostgreSQL database: ${words.slice(-3).join(' ')}`,
      );
    }
    await writeFor(runner, join(half, passwordFile), password);
    await rename(half, dataDir);
    return { path: dataDir, password, runner };
  } finally {
    await rm(half, { recursive: true, force: true });
    await rm(secret, { force: true });
  }
}

/** Opens the data folder, making it when there is none; a half-made one is never seen under this name. */
export async function openFolder(folder: string, installed?: string): Promise<DataFolder> {
  const path = resolve(folder);
  await ensureWritable(dirname(path));
  const files = existsSync(path) ? await readdir(path).catch(() => undefined) : [];
  if (!files)
    throw new ServerFault(`The data folder ${path} belongs to another user: start as that user, or remove it.`);
  if (files.length === 0) return initialise(path, installed);

  const runner = await findRunner(path, path, installed);
  const major = (await readText(join(path, 'PG_VERSION')))?.trim();
  const password = await readText(join(path, passwordFile));
  if (major === undefined || password === undefined) {
    throw new ServerFault(`The folder ${path} holds files that are no embedded PostgreSQL database: move them away.`);
  }
  if (major !== runner.binaries.major) {
    throw new ServerFault(
      `The data in ${path} was written by PostgreSQL ${major}, and this is ${runner.binaries.version}: remove it to begin anew.`,
    );
  }
  return { path, password, runner };
}

async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await readText(`/proc/${pid}/cmdline`);
  return command === undefined ? process.platform !== 'linux' : command.includes('postgres');
}

/**
 * postmaster.pid may be stale (power cut), its number may meanwhile be another program's, or its server may
 * have outlived the process that started it; only a server somebody still looks after is left alone.
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
