import { execFileSync } from 'node:child_process';
import { cp, lutimes, mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from './checks/run.mjs';
import { readBillOfMaterials } from './release/bill-of-materials.mjs';

// node tools/collect-image.mjs <folder>: writes the root file system of the images. It has what the programs load, and
// nothing else; a program that needs more fails at its start.
const [target] = process.argv.slice(2);
if (!target) throw new Error('Name the folder to write to');

const into = async (source, path) => {
  const to = join(target, path);
  await mkdir(dirname(to), { recursive: true });
  await cp(await realpath(source), to, { recursive: true });
};

/** The native package of the platform: the only one that a bundle cannot contain and services need. */
const { platform, arch } = process;
const argon = ['@node-rs/argon2', `@node-rs/argon2-${platform}-${arch}-gnu`];

const app = async () => {
  await into(join(root, 'bundle'), 'app/bundle');
  await into(join(root, 'package.json'), 'app/package.json');
  for (const name of argon) await into(join(root, 'node_modules', name), `app/node_modules/${name}`);
  for (const name of ['health.mjs', 'first-start.mjs']) await into(join(root, 'docker', name), `app/${name}`);
};

/** Node and the shared libraries that it and the native package are linked with, at the same paths. */
const node = async () => {
  await into(process.execPath, 'usr/local/bin/node');
  const addon = join(root, 'node_modules', argon[1], `argon2.${platform}-${arch}-gnu.node`);
  const linked = [process.execPath, addon].flatMap((file) =>
    [...execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path),
  );
  for (const path of new Set(linked)) await into(path, path);
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

await app();
await node();
await system();
await writeFile(join(target, 'app', 'sbom.cdx.json'), readBillOfMaterials(epoch));
await setTimes(target);
