import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWithBuildah, pushImages, targets } from './images.mjs';
import { findLibraries } from './release/linked-libraries.mjs';
import { toSignatureTag } from './release/sign-image.mjs';

// npm run images:try [-- --built] [--twice]: builds all images for amd64 and arm64 with buildah, on a base of Debian packages and Node from the npm registry, since
// no image registry is needed for that. Then it runs every service from its image, read-only and as uid 10001, follows a run, and pushes the images to a
// registry of its own. With --built it takes the images of an earlier call, with --twice it builds one image again without a cache and compares both.
const say = (line) => process.stdout.write(`${line}\n`);
const has = (command) => spawnSync('which', [command], { stdio: 'ignore' }).status === 0;
const missing = ['buildah', 'debootstrap', 'bwrap'].filter((command) => !has(command));
if (missing.length > 0 || process.getuid?.() !== 0) {
  say(
    `skipped: images need root on Debian with buildah, debootstrap and bubblewrap (missing: ${missing.join(', ') || 'root'})`,
  );
  process.exit(0);
}

const limitBytes = 185e6;
const native = { x64: 'amd64', arm64: 'arm64' }[process.arch];
const base = 'localhost/lensforge-base';
const authorities = '/etc/ssl/certs/ca-certificates.crt';
const home = process.env.LENSFORGE_IMAGES ?? join(tmpdir(), 'lensforge-images');
const options = ['--storage-driver=overlay', `--root=${home}/storage`, `--runroot=${home}/run`];
const buildah = (...args) =>
  execFileSync('buildah', [...options, ...args], { encoding: 'utf8', maxBuffer: 67_108_864 }).trim();
const show = (command, args, more = {}) =>
  void execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...more });

const platforms = { amd64: 'x64', arm64: 'arm64' };
const platform = 'linux/amd64,linux/arm64';

/** Unpacks a package of the npm registry, which may be for another processor. */
function unpack(name, folder) {
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', name, '--json', `--pack-destination=${folder}`]));
  show('tar', ['--extract', '--gzip', `--file=${join(folder, filename)}`, `--directory=${folder}`]);
  return join(folder, 'package');
}

/** Debian's smallest system with Node 24 and npm, as the official image of Node has them. For another processor its packages are unpacked, not configured. */
async function makeRoot(arch) {
  const rootfs = join(home, `rootfs-${arch}`);
  await rm(rootfs, { recursive: true, force: true });
  const isForeign = platforms[arch] !== process.arch;
  const include = '--include=ca-certificates,libatomic1,libstdc++6';
  const foreign = isForeign ? ['--foreign', `--arch=${arch}`] : [];
  show('debootstrap', [...foreign, '--variant=minbase', include, 'bookworm', rootfs]);
  const archives = join(rootfs, 'var/cache/apt/archives');
  const packages = isForeign ? await readdir(archives) : [];
  for (const file of packages.filter((name) => /^(libatomic1|libstdc)/.test(name)))
    show('dpkg-deb', ['--extract', join(archives, file), rootfs]);
  if (isForeign) {
    await rm(join(rootfs, 'proc'));
    await mkdir(join(rootfs, 'proc'));
  }
  const local = join(rootfs, 'usr', 'local');
  const temporary = await mkdtemp(join(tmpdir(), 'lensforge-node-'));
  const node = unpack(`node-linux-${platforms[arch]}@24`, temporary);
  await mkdir(join(local, 'bin'), { recursive: true });
  await cp(join(node, 'bin', 'node'), join(local, 'bin', 'node'));
  await chmod(join(local, 'bin', 'node'), 0o755);
  await rm(node, { recursive: true });
  await cp(unpack('npm@11', temporary), join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
  await rm(temporary, { recursive: true });
  // The registry may be behind a proxy with a certificate authority of its own.
  await cp(authorities, join(rootfs, authorities));
  return rootfs;
}

/** One base for both processors: the build runs on that of this machine. */
async function makeBase() {
  if (spawnSync('buildah', [...options, 'manifest', 'inspect', base], { stdio: 'ignore' }).status === 0) return;
  const images = [];
  for (const arch of Object.keys(platforms)) {
    const rootfs = await makeRoot(arch);
    const container = buildah('from', 'scratch');
    buildah('add', container, rootfs, '/');
    buildah('config', `--arch=${arch}`, `--env=NODE_EXTRA_CA_CERTS=${authorities}`, container);
    buildah('commit', '--rm', container, `${base}-${arch}`);
    images.push(`${base}-${arch}`);
  }
  buildah('manifest', 'create', base, ...images);
}

const toImageName = (target) => `localhost/lensforge/${target}:dev`;
/** A container of the image of a target for a processor, with what buildah knows of it. */
function open(target, arch) {
  const container = buildah('from', '--pull-never', `--arch=${arch}`, toImageName(target));
  const { OCIv1: details, FromImageID: id } = JSON.parse(buildah('inspect', container));
  return { container, details, id };
}

/** The command of each image for a processor, and the folder of their file system, which they share. */
function mountImages(arch) {
  const images = targets.map((target) => [target, open(target, arch)]);
  const layers = new Set(images.map(([, { details }]) => details.rootfs.diff_ids.join()));
  if (layers.size !== 1) throw new Error('the images do not share their layers');
  for (const [target, { id, details }] of images) {
    if (details.architecture !== arch) throw new Error(`${target} is for ${details.architecture} instead of ${arch}`);
    const [{ size }] = JSON.parse(buildah('images', '--json', '--all')).filter((image) => id.startsWith(image.id));
    say(`  ${target} for ${arch}: ${size}`);
    const bytes = Number.parseFloat(size) * (/GB/.test(size) ? 1e9 : 1e6);
    if (!(bytes <= limitBytes)) throw new Error(`the image ${target} is larger than ${limitBytes / 1e6} MB`);
  }
  const commands = Object.fromEntries(
    images.map(([target, { details }]) => [
      target,
      [...(details.config.Entrypoint ?? []), ...(details.config.Cmd ?? [])],
    ]),
  );
  return { commands, folder: buildah('mount', images[0][1].container) };
}

/** The executable files besides Node.js, shared libraries and the programs of the platform. */
function programsIn(folder) {
  const files = execFileSync('find', [folder, '-type', 'f', '-perm', '/111', '-printf', '%P\n'], { encoding: 'utf8' });
  const expected = /^(usr\/local\/bin\/node|app\/.*\.(js|mjs|node)|(usr\/)?lib(64)?\/.*\.so[.\d]*)$/;
  return files.split('\n').filter((name) => name !== '' && !expected.test(name));
}

/** Runs a program of an image as uid 10001, in its file system alone, which is read-only but for /tmp. */
function start(folder, args, environment) {
  const sandbox = [
    '--unshare-user',
    '--uid',
    '10001',
    '--gid',
    '10001',
    '--unshare-pid',
    '--die-with-parent',
    '--as-pid-1',
  ];
  const files = ['--ro-bind', folder, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--remount-ro', '/'];
  const settings = Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]);
  const given = ['--chdir', '/app', '--clearenv', '--setenv', 'PATH', '/usr/local/bin', ...settings];
  const child = spawn('bwrap', [...sandbox, ...files, ...given, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(String(text)));
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  return { child, output, ended };
}

/** Sends SIGTERM to the program itself: bubblewrap, which waits for it, passes no signals on. */
function terminate(child) {
  if (child.exitCode !== null) return;
  const [program] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
  process.kill(Number(program), 'SIGTERM');
}

const until = async (what, done, seconds = 60) => {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    if (await done().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`${what}: not within ${seconds} s`);
};

/** A person with credits, a token and a lens, which the database gets directly: production has no demo data. */
async function seed(databaseUrl) {
  const [{ openDatabase }, { systemClock, platformActor, newId }] = await Promise.all([
    import('@lensforge/database'),
    import('@lensforge/core'),
  ]);
  const { createAccount, issueToken } = await import('@lensforge/identity');
  const { grantCredits } = await import('@lensforge/credits');
  const source = await openDatabase({ url: databaseUrl, applicationName: 'try-images' });
  const ctx = { actor: platformActor, db: source.manager, now: systemClock, requestId: newId() };
  const account = await createAccount(ctx, { kind: 'person', handle: 'ada', displayName: 'Ada' });
  await grantCredits(ctx, { accountId: account.id, amount: 1000 });
  const scopes = ['lenses:read', 'lenses:write', 'runs:read', 'runs:write'];
  const { value } = await issueToken(ctx, {
    kind: 'developer',
    accountId: account.id,
    userId: null,
    label: 'try',
    scopes,
    days: 1,
  });
  await source.destroy();
  return value;
}

async function journey({ commands, folder }) {
  const { startPostgres, startRedis } = await import('@lensforge/embedded');
  const { default: pg } = await import('pg');
  const data = await mkdtemp(join(tmpdir(), 'lensforge-try-'));
  const postgres = await startPostgres({ dataDir: join(data, 'postgres'), fast: true });
  const redis = await startRedis();
  const started = [];
  try {
    const password = randomBytes(18).toString('base64url');
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`create role lensforge_services login password '${password}'`);
    await client.end();
    const services = new URL(postgres.url);
    [services.username, services.password] = ['lensforge_services', password];

    const migration = start(folder, [...commands.operate, 'migrate', '--app-role', 'lensforge_services'], {
      DATABASE_URL: postgres.url,
    });
    if ((await migration.ended) !== 0) throw new Error(`migrate: ${migration.output.join('')}`);
    const token = await seed(postgres.url);

    const [masterKey, byokKey] = [0, 1].map(() => randomBytes(32).toString('base64'));
    const own = { 'run-worker': { LENSFORGE_BYOK_MASTER_KEY: byokKey }, 'mcp-gateway': {} };
    const ports = new Map(targets.filter((each) => each !== 'operate').map((each, at) => [each, 47_100 + 10 * at]));
    for (const [name, port] of ports) {
      const environment = {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        LENSFORGE_MANAGEMENT_PORT: String(port + 1),
        LENSFORGE_OAUTH_URL: `http://127.0.0.1:${ports.get('oauth')}`,
        LENSFORGE_PUBLIC_API_URL: `http://127.0.0.1:${ports.get('api-gateway')}`,
        DATABASE_URL: services.href,
        REDIS_URL: redis.url,
        ...(own[name] ?? { LENSFORGE_MASTER_KEY: masterKey }),
      };
      started.push({ name, port, ...start(folder, commands[name], environment) });
    }
    for (const { name, port } of started) {
      await until(`${name} is ready`, async () => (await fetch(`http://127.0.0.1:${port + 1}/ready`)).ok);
    }
    say(`  all ${started.length} services are ready`);
    const health = start(folder, ['node', '/app/health.mjs'], { PORT: String(ports.get('oauth') + 1) });
    if ((await health.ended) !== 0) throw new Error('the health check of the image fails');

    const api = `http://127.0.0.1:${ports.get('api-gateway')}/v1`;
    const call = async (method, path, body) => {
      const response = await fetch(`${api}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      });
      const answer = await response.json();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer.error)}`);
      return answer.data;
    };
    const templateBody = 'Greet [[Name]] in one sentence, and say nothing besides the greeting.';
    const lens = await call('POST', '/lenses', { title: 'Greeting', templateBody });
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', `/lenses/${lens.id}/execute`, { params: { Name: 'Ada' } })),
    );
    const stream = await fetch(`${api}/runs/${runs[0].runId ?? runs[0].id}/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const events = [...(await stream.text()).matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
    say(`  a run: ${[...new Set(events)].join(', ')}`);
    for (const run of runs) {
      const id = run.runId ?? run.id;
      await until(`the run ${id} ends`, async () => ['succeeded'].includes((await call('GET', `/runs/${id}`)).status));
    }
    say(`  ${runs.length} of ${runs.length} runs succeeded`);
  } finally {
    for (const { child } of started) terminate(child);
    const codes = await Promise.all(started.map(async ({ name, ended }) => `${name} ${await ended}`));
    say(`  exit codes after SIGTERM: ${codes.join(', ')}`);
    for (const { name, output } of started) {
      const faults = output.join('').match(/EROFS|EACCES|EPERM|cannot start.*/g);
      if (faults) say(`  ${name}: ${faults.join(', ')}`);
    }
    await Promise.all([postgres.stop(), redis.stop()]);
    await rm(data, { recursive: true, force: true });
  }
}

/** Lists what a program of another processor is linked with, and runs one where qemu can. */
function tryForeign(folder, arch) {
  const node = join(folder, 'usr/local/bin/node');
  const addon = join(folder, `app/node_modules/@node-rs/argon2-linux-${platforms[arch]}-gnu`);
  const argon = join(addon, `argon2.linux-${platforms[arch]}-gnu.node`);
  say(
    `  it has all ${findLibraries(folder, [node, argon], platforms[arch]).length} libraries of Node.js and the native package`,
  );
  const qemu = `qemu-${{ amd64: 'x86_64', arm64: 'aarch64' }[arch]}-static`;
  if (!has(qemu)) return say(`  not run, for want of ${qemu}`);
  const code = `const { hashSync } = require('@node-rs/argon2'); console.log(process.arch, hashSync('a').slice(0, 9))`;
  const run = [qemu, '-L', folder, node, '-e', code];
  say(`  ${execFileSync(run[0], run.slice(1), { cwd: join(folder, 'app'), encoding: 'utf8' }).trim()}`);
}

/** Pushes and signs the images at a registry of this machine, and checks what a client gets from it. */
async function tryPush() {
  if (!has('docker-registry') || !has('skopeo')) return say('not pushed, for want of docker-registry and skopeo');
  const data = await mkdtemp(join(tmpdir(), 'lensforge-registry-'));
  const address = '127.0.0.1:47190';
  const settings = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: data } },
    http: { addr: address },
    log: { level: 'error' },
  };
  await writeFile(join(data, 'config.yml'), JSON.stringify(settings));
  const server = spawn('docker-registry', ['serve', join(data, 'config.yml')], { stdio: 'ignore' });
  try {
    await until('the registry answers', async () => (await fetch(`http://${address}/v2/`)).ok);
    const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const registry = `${address}/lensforge`;
    const digests = pushImages({ builder: 'buildah', registry, platform, key, options, tagOf: toImageName });
    for (const [target, digest] of digests) {
      const read = async (path) => {
        const accept = ['index', 'manifest'].map((kind) => `application/vnd.oci.image.${kind}.v1+json`);
        const docker = ['list', ''].map(
          (kind) => `application/vnd.docker.distribution.manifest.${kind && `${kind}.`}v2+json`,
        );
        const headers = { accept: [...accept, ...docker].join(', ') };
        return (await fetch(`http://${address}/v2/lensforge/${target}/${path}`, { headers })).json();
      };
      const { manifests } = await read(`manifests/${digest}`);
      const architectures = manifests.map(({ platform }) => platform.architecture).sort();
      if (architectures.join() !== 'amd64,arm64') throw new Error(`${target} is for ${architectures.join()}`);
      const [layer] = (await read(`manifests/${toSignatureTag(digest)}`)).layers;
      const payload = await read(`blobs/${layer.digest}`);
      const signature = Buffer.from(layer.annotations['dev.cosignproject.cosign/signature'], 'base64');
      const isSigned = verify('sha256', Buffer.from(JSON.stringify(payload)), publicKey, signature);
      if (!isSigned || payload.critical.image['docker-manifest-digest'] !== digest)
        throw new Error(`the signature of ${target} is not valid`);
    }
    say(`  ${digests.length} lists of images for amd64 and arm64, pushed and signed`);
  } finally {
    server.kill();
    await rm(data, { recursive: true, force: true });
  }
}

await mkdir(home, { recursive: true });
say('base image');
await makeBase();
if (!process.argv.includes('--built')) {
  say('images');
  buildWithBuildah({ base, options, platform });
}
if (process.argv.includes('--twice')) {
  say('the same build again');
  const again = 'localhost/lensforge/again:dev';
  buildWithBuildah({ base, options, only: ['operate'], tagOf: () => again, more: ['--no-cache'] });
  // The rest of the image, which is in Docker's format for its health check, names the containers of the build.
  const [first, second] = ['operate', 'again'].map((name) => {
    const { rootfs, config } = open(name, native).details;
    return JSON.stringify({ layers: rootfs.diff_ids, config });
  });
  if (first !== second) throw new Error(`two builds of a commit differ:\n${first}\n${second}`);
  say(`  its layers and configuration are equal: ${JSON.parse(first).layers.join(', ')}`);
}
for (const arch of Object.keys(platforms)) {
  say(`images for ${arch}`);
  const images = mountImages(arch);
  const others = programsIn(images.folder);
  if (others.length > 0) throw new Error(`the images have programs besides Node.js: ${others.join(', ')}`);
  say('  no shell and no program besides Node.js');
  const bill = JSON.parse(await readFile(join(images.folder, 'app', 'sbom.cdx.json'), 'utf8'));
  say(`  bill of materials: ${bill.bomFormat} ${bill.specVersion}, ${bill.components.length} packages`);
  if (arch === native) await journey(images);
  else tryForeign(images.folder, arch);
}
say('a registry');
await tryPush();
