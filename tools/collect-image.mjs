import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, lutimes, mkdir, mkdtemp, readFile, readdir, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './checks/run.mjs';
import { readBillOfMaterials } from './release/bill-of-materials.mjs';
import { findLibraries } from './release/linked-libraries.mjs';

// node tools/collect-image.mjs <folder> [--base=<folder>] [--arch=amd64|arm64]: writes the root file system of the images. It has what the
// programs load, and nothing else; a program that needs more fails at its start. Node.js and libraries are those of this machine, or those below
// `--base`, which may be for another processor.
const options = { base: { type: 'string', default: '/' }, arch: { type: 'string' } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [target] = positionals;
if (!target) throw new Error('Name the folder to write to');
const arch = { amd64: 'x64', arm64: 'arm64' }[values.arch] ?? process.arch;

const into = async (source, path) => {
  const to = join(target, path);
  await mkdir(dirname(to), { recursive: true });
  await cp(await realpath(source), to, { recursive: true });
};

/** The package of the platform: the only native one that services need. */
const native = `@node-rs/argon2-linux-${arch}-gnu`;

/** A package that npm did not install, since it is for another platform; its bytes must be those of the lock file. */
const download = async (name) => {
  const { version, integrity } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages[
    `node_modules/${name}`
  ];
  const folder = await mkdtemp(join(tmpdir(), 'lensforge-package-'));
  const packed = ['pack', `${name}@${version}`, '--json', `--pack-destination=${folder}`];
  const [{ filename }] = JSON.parse(execFileSync('npm', packed, { encoding: 'utf8' }));
  const sum = createHash('sha512')
    .update(readFileSync(join(folder, filename)))
    .digest('base64');
  if (`sha512-${sum}` !== integrity) throw new Error(`${name}@${version} is not the package of package-lock.json`);
  execFileSync('tar', ['--extract', '--gzip', `--file=${join(folder, filename)}`, `--directory=${folder}`]);
  return join(folder, 'package');
};

const findNative = async () => {
  const installed = join(root, 'node_modules', native);
  return existsSync(installed) ? installed : download(native);
};

const app = async (nativeFolder) => {
  await into(join(root, 'bundle'), 'app/bundle');
  await into(join(root, 'package.json'), 'app/package.json');
  await into(join(root, 'node_modules/@node-rs/argon2'), 'app/node_modules/@node-rs/argon2');
  await into(nativeFolder, `app/node_modules/${native}`);
  for (const name of ['health.mjs', 'first-start.mjs']) await into(join(root, 'docker', name), `app/${name}`);
};

/** Node and the shared libraries that it and the native package are linked with, at the same paths. */
const node = async (nativeFolder) => {
  const program = values.base === '/' ? process.execPath : join(values.base, 'usr/local/bin/node');
  await into(program, 'usr/local/bin/node');
  const files = [program, join(nativeFolder, `argon2.linux-${arch}-gnu.node`)];
  for (const { path, source } of findLibraries(values.base, files, arch)) await into(source, path);
};

const system = async () => {
  const files = {
    passwd: 'root:x:0:0:root:/:/sbin/nologin\nlensforge:x:10001:10001:lensforge:/app:/sbin/nologin\n',
    group: 'root:x:0:\nlensforge:x:10001:\n',
    'nsswitch.conf': 'hosts: files dns\n',
  };
  await mkdir(join(target, 'etc'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(target, 'etc', name), text);
  await mkdir(join(target, 'tmp'), { recursive: true, mode: 0o1777 });
  // Mount points, which cannot be made in a read-only file system.
  for (const name of ['dev', 'proc', 'sys']) await mkdir(join(target, name), { recursive: true });
};

const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? 0);

const setTimes = async (folder) => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await setTimes(join(folder, entry.name));
    await lutimes(join(folder, entry.name), epoch, epoch);
  }
};

const nativeFolder = await findNative();
await app(nativeFolder);
await node(nativeFolder);
await system();
await writeFile(join(target, 'app', 'sbom.cdx.json'), readBillOfMaterials(epoch));
await setTimes(target);
