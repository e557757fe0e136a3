import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The newest releases that Node.js 20 runs. They are not in the lock file: only this part of the benchmark needs them. */
export const peerVersions = {
  'pg-boss': '10.4.2',
  'graphile-worker': '0.16.6',
  '@dbos-inc/dbos-sdk': '5.3.0',
  '@restatedev/restate-sdk': '1.10.4',
  '@restatedev/restate-server': '1.7.12',
} as const;

/** Installs the packages of the peers into a folder, once, and returns the module that loads them. */
export async function installPeers(folder: string): Promise<string> {
  const loader = join(folder, 'load.mjs');
  const manifest = `${JSON.stringify({ private: true, type: 'module', dependencies: peerVersions }, null, 2)}\n`;
  const path = join(folder, 'installed.json');
  if ((await readFile(path, 'utf8').catch(() => '')) === manifest) return loader;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), manifest);
  await writeFile(loader, 'export const load = (name) => import(name);\n');
  await run('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: folder, timeout: 300_000 });
  await writeFile(path, manifest);
  return loader;
}
