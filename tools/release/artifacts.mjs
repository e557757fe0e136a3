import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../checks/run.mjs';
import { readBillOfMaterials } from './bill-of-materials.mjs';
import { readSection } from './changelog.mjs';

const run = (command, args, cwd = root) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });

/** Writes an archive that depends on the contents of the folder and the time of the commit alone. */
const archive = (file, folder, names, { epoch, prefix }) => {
  const plain = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rw,go+r,go-w',
    `--mtime=@${epoch}`,
  ];
  const args = ['--create', '--dereference', ...plain, `--transform=s,^,${prefix}/,`, '--directory', folder, ...names];
  const { status, stdout, stderr } = spawnSync('tar', args, { maxBuffer: 1 << 29 });
  if (status !== 0) throw new Error(`tar: ${stderr}`);
  writeFileSync(file, gzipSync(stdout, { level: 9 }));
};

/** Packs what `npm publish` would publish. */
const npmPackage = (out, script, ...args) => {
  const folder = join(out, 'unpacked');
  run(process.execPath, [join('tools', script), ...args, folder]);
  run('npm', ['pack', folder, '--silent', '--pack-destination', join(out, 'npm')]);
  rmSync(folder, { recursive: true });
};

const python = (out) => {
  const folder = join(out, 'unpacked');
  run(process.execPath, ['tools/pack-python.mjs', folder]);
  for (const name of readdirSync(folder)) renameSync(join(folder, name), join(out, 'python', name));
  rmSync(folder, { recursive: true });
};

/** The programs of all services, with the native package of this platform. */
const server = (out, { version, epoch }) => {
  const folder = join(out, 'unpacked');
  const name = `lensforge-server-${version}-${process.platform}-${process.arch}`;
  for (const part of ['bundle', 'package.json', 'LICENSE'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const natives = readdirSync(join(root, 'node_modules/@node-rs')).map((each) => `node_modules/@node-rs/${each}`);
  for (const native of natives) cpSync(realpathSync(join(root, native)), join(folder, native), { recursive: true });
  archive(join(out, 'server', `${name}.tar.gz`), folder, readdirSync(folder).sort(), { epoch, prefix: name });
  rmSync(folder, { recursive: true });
};

/** Writes everything that a release has but its images, and returns the paths. */
export const makeArtifacts = (out, { version, epoch }) => {
  rmSync(out, { recursive: true, force: true });
  for (const part of ['npm', 'python', 'server', 'kubernetes']) mkdirSync(join(out, part), { recursive: true });
  npmPackage(out, 'pack-cli.mjs');
  npmPackage(out, 'pack-library.mjs', 'sdk');
  npmPackage(out, 'pack-library.mjs', 'ai-provider');
  python(out);
  server(out, { version, epoch });
  const kubernetes = join(out, 'kubernetes');
  const chart = { epoch, prefix: 'lensforge' };
  archive(
    join(kubernetes, `lensforge-chart-${version}.tgz`),
    join(root, 'charts/lensforge'),
    readdirSync(join(root, 'charts/lensforge')),
    chart,
  );
  archive(join(kubernetes, `lensforge-kustomize-${version}.tar.gz`), root, ['k8s'], {
    epoch,
    prefix: `lensforge-${version}`,
  });
  writeFileSync(join(out, 'sbom.cdx.json'), readBillOfMaterials(epoch));
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  writeFileSync(join(out, 'release-notes.md'), `${(readSection(changelog, version) ?? readSection(changelog)).text}\n`);
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(out.length + 1))
    .sort();
};
