import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './checks/run.mjs';
import { readKey } from './release/sign.mjs';
import { toSignatureTag, writeSignature } from './release/sign-image.mjs';

// npm run images [-- --push=<registry>] [--platform=<os/arch,…>] [--base=<image>] [--builder=docker|buildah]: builds the images of docker/Dockerfile,
// all targets from one build, for this platform. With --push it builds them for amd64 and arm64, pushes them, signs them with LENSFORGE_RELEASE_KEY if it has a key,
// and writes their digests to k8s/components/images and charts/lensforge/values/images.yaml.
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
const file = ['--file=docker/Dockerfile'];

const ownPlatform = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`;

/** `options` are global options of buildah, such as its storage, and `more` those of its builds. With several platforms the tags name lists of images. */
export const buildWithBuildah = (build) => {
  const { base, platform = ownPlatform, options = [], only = targets, tagOf = toImageName, more = [] } = build;
  const { time, args } = buildArguments(base);
  // The bundler opens hundreds of files at a time, and chroot isolation allows 1024 by default.
  const isolation = ['--isolation=chroot', '--ulimit=nofile=16384:16384'];
  const common = [
    '--layers',
    '--format=docker',
    ...isolation,
    `--timestamp=${time}`,
    `--platform=${platform}`,
    ...file,
  ];
  const ignored = ['--ignorefile=docker/Dockerfile.dockerignore', ...(base ? ['--pull-never'] : [])];
  // Buildah 1.28 does not set it.
  const given = [...args, `--build-arg=BUILDPLATFORM=${ownPlatform}`];
  for (const target of only) {
    const isList = platform.includes(',');
    // A list with this name would get the new images beside its old ones.
    if (isList)
      for (const remove of [['manifest', 'rm'], ['rmi']]) runs('buildah', [...options, ...remove, tagOf(target)]);
    const names = [`--target=${target}`, `--${isList ? 'manifest' : 'tag'}=${tagOf(target)}`];
    show('buildah', [...options, 'build', ...common, ...ignored, ...more, ...given, ...names, '.']);
  }
};

const buildWithDocker = (target, base, more) => {
  const { args } = buildArguments(base);
  show('docker', ['buildx', 'build', ...file, ...args, `--target=${target}`, ...more, '.']);
};

/** A registry of this machine has no certificate. */
const tlsOf = (name) => (/^(localhost|127\.0\.0\.1)[:/]/.test(name) ? ['--tls-verify=false'] : []);

/** Pushes the list of images of a target, and returns its digest. */
const pushed = {
  buildah: (target, { name, platform, options = [], tagOf = toImageName }) => {
    const file = join(mkdtempSync(join(tmpdir(), 'lensforge-images-')), 'digest');
    const push = [
      ...(platform.includes(',') ? ['manifest', 'push', '--all'] : ['push']),
      ...tlsOf(name),
      `--digestfile=${file}`,
    ];
    show('buildah', [...options, ...push, tagOf(target), `docker://${name}:${version}`]);
    return readFileSync(file, 'utf8').trim();
  },
  docker: (target, { name, platform, base }) => {
    const file = join(mkdtempSync(join(tmpdir(), 'lensforge-images-')), 'metadata.json');
    buildWithDocker(target, base, [
      '--push',
      `--platform=${platform}`,
      `--tag=${name}:${version}`,
      `--metadata-file=${file}`,
    ]);
    return JSON.parse(readFileSync(file, 'utf8'))['containerimage.digest'];
  },
};

const signPushed = (name, digest, key) => {
  const folder = mkdtempSync(join(tmpdir(), 'lensforge-signature-'));
  writeSignature(folder, { name, digest, key });
  const target = `docker://${name}:${toSignatureTag(digest)}`;
  const tls = tlsOf(name).map((option) => option.replace('--tls', '--dest-tls'));
  show('skopeo', ['copy', '--quiet', '--preserve-digests', ...tls, `oci:${folder}`, target]);
};

/** Pushes all images, and signs them when there is a key. Returns the digest of each. */
export const pushImages = ({ builder, registry, key, ...more }) =>
  targets.map((target) => {
    const name = `${registry}/${target}`;
    const digest = pushed[builder](target, { name, ...more });
    if (key) signPushed(name, digest, key);
    return [target, digest];
  });

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

if (process.argv[1] === import.meta.filename) {
  const names = ['push', 'platform', 'base', 'builder'];
  const { values } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) });
  const { push, base, builder = runs('docker', ['info']) ? 'docker' : 'buildah' } = values;
  const { LENSFORGE_RELEASE_KEY: pem } = process.env;
  for (const program of [builder, ...(push && pem ? ['skopeo'] : [])])
    if (!runs(program, ['--version'])) throw new Error(`${program} is not installed`);
  const platform = values.platform ?? (push && 'linux/amd64,linux/arm64');
  if (builder === 'buildah') buildWithBuildah({ base, platform });
  else if (!push)
    for (const target of targets) buildWithDocker(target, base, ['--load', `--tag=${toImageName(target)}`]);
  if (push) {
    const registry = push.replace(/\/$/, '');
    const digests = pushImages({ builder, registry, platform, base, key: pem && readKey(pem) });
    for (const [file, text] of Object.entries(toDigestFiles(registry, digests))) writeFileSync(join(root, file), text);
    if (!pem) console.log('not signed: LENSFORGE_RELEASE_KEY has no key');
  }
}
