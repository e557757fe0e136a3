import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './checks/run.mjs';

// npm run images [-- --push=<registry>] [--base=<image>] [--builder=docker|buildah]: builds the images of docker/Dockerfile, all
// targets from one build. With --push it pushes them and writes their digests to k8s/components/images and charts/lensforge/values/images.yaml.
export const targets = ['api-gateway', 'mcp-gateway', 'oauth', 'operate', 'run-worker', 'webhook-dispatcher'];

const runs = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const text = (command, args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim();
const show = (command, args) => void execFileSync(command, args, { cwd: root, stdio: 'inherit' });

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The arguments that make a build depend on the commit alone. */
const buildArguments = (base) => {
  const [revision, time] = text('git', ['log', '-1', '--format=%H %ct']).split(' ');
  const given = { VERSION: version, REVISION: revision, SOURCE_DATE_EPOCH: time, ...(base && { BASE: base }) };
  return { time, args: Object.entries(given).map(([name, value]) => `--build-arg=${name}=${value}`) };
};

const toImageName = (target) => `lensforge/${target}:dev`;
const common = ['--file=docker/Dockerfile'];

/** `options` are global options of buildah, such as its storage, and `more` those of its builds. */
export const buildWithBuildah = ({ base, options = [], only = targets, tagOf = toImageName, more = [] }) => {
  const { time, args } = buildArguments(base);
  // The bundler opens hundreds of files at a time, and chroot isolation allows 1024 by default.
  const isolation = ['--isolation=chroot', '--ulimit=nofile=16384:16384'];
  const build = ['build', '--layers', '--format=docker', ...isolation, `--timestamp=${time}`, ...common];
  const ignored = ['--ignorefile=docker/Dockerfile.dockerignore', ...(base ? ['--pull-never'] : [])];
  for (const target of only) {
    const names = [`--target=${target}`, `--tag=${tagOf(target)}`];
    show('buildah', [...options, ...build, ...ignored, ...more, ...args, ...names, '.']);
  }
};

const buildWithDocker = ({ base }) => {
  const { args } = buildArguments(base);
  for (const target of targets) {
    show('docker', [
      'buildx',
      'build',
      '--load',
      ...common,
      ...args,
      `--target=${target}`,
      `--tag=${toImageName(target)}`,
      '.',
    ]);
  }
};

const pushed = {
  buildah: (target, name) => {
    const file = join(mkdtempSync(join(tmpdir(), 'lensforge-images-')), 'digest');
    show('buildah', ['push', `--digestfile=${file}`, toImageName(target), `docker://${name}:${version}`]);
    return readFileSync(file, 'utf8').trim();
  },
  docker: (target, name) => {
    show('docker', ['tag', toImageName(target), `${name}:${version}`]);
    show('docker', ['push', `${name}:${version}`]);
    const digests = JSON.parse(
      text('docker', ['image', 'inspect', '--format={{json .RepoDigests}}', `${name}:${version}`]),
    );
    return digests.find((each) => each.startsWith(`${name}@`)).split('@')[1];
  },
};

/** The digests for Kustomize and for the Helm chart. */
export const toDigestFiles = (registry, digests) => {
  const comment = '# Written by `npm run images -- --push=<registry>`.\n';
  const kustomize = digests.map(
    ([target, digest]) => `  - name: lensforge/${target}\n    newName: ${registry}/${target}\n    digest: ${digest}\n`,
  );
  const chart = digests.map(([target, digest]) => `    ${target}: ${digest}\n`);
  const head = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n';
  return {
    'k8s/components/images/kustomization.yaml': `${head}${comment}images:\n${kustomize.join('')}`,
    'charts/lensforge/values/images.yaml': `${comment}image:\n  registry: ${registry}\n  digests:\n${chart.join('')}`,
  };
};

const push = (builder, registry) => {
  const prefix = registry.replace(/\/$/, '');
  const digests = targets.map((target) => [target, pushed[builder](target, `${prefix}/${target}`)]);
  for (const [file, text] of Object.entries(toDigestFiles(prefix, digests))) writeFileSync(join(root, file), text);
};

if (process.argv[1] === import.meta.filename) {
  const options = { push: { type: 'string' }, base: { type: 'string' }, builder: { type: 'string' } };
  const { values } = parseArgs({ options });
  const builder = values.builder ?? (runs('docker', ['info']) ? 'docker' : 'buildah');
  if (!runs(builder, ['--version'])) throw new Error('Neither Docker nor buildah is installed');
  (builder === 'docker' ? buildWithDocker : buildWithBuildah)(values);
  if (values.push) push(builder, values.push);
}
