import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWithBuildah, targets } from './images.mjs';

// npm run images:try [-- --built] [--twice]: builds all images with buildah, on a base of Debian packages and Node from the npm registry, since no
// image registry is needed for that. Then it runs every service from its image, read-only and as uid 10001, and follows a run. With --built it takes the images of an earlier call,
// with --twice it builds one image again without a cache and compares both.
const say = (line) => process.stdout.write(`${line}\n`);
const has = (command) => spawnSync('which', [command], { stdio: 'ignore' }).status === 0;
const missing = ['buildah', 'debootstrap', 'bwrap'].filter((command) => !has(command));
if (missing.length > 0 || process.getuid?.() !== 0) {
  say(
    `skipped: images need root on Debian with buildah, debootstrap and bubblewrap (missing: ${missing.join(', ') || 'root'})`,
  );
  process.exit(0);
}

const limitBytes = 160e6;
const base = 'localhost/lensforge-base';
const home = process.env.LENSFORGE_IMAGES ?? join(tmpdir(), 'lensforge-images');
const options = ['--storage-driver=overlay', `--root=${home}/storage`, `--runroot=${home}/run`];
const buildah = (...args) =>
  execFileSync('buildah', [...options, ...args], { encoding: 'utf8', maxBuffer: 67_108_864 }).trim();
const show = (command, args, more = {}) =>
  void execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...more });

/** Debian's smallest system with Node 24 and npm, as the official image of Node has them. */
async function makeBase() {
  if (spawnSync('buildah', [...options, 'inspect', base], { stdio: 'ignore' }).status === 0) return;
  const rootfs = join(home, 'rootfs');
  const packages = join(home, 'packages');
  await rm(rootfs, { recursive: true, force: true });
  await mkdir(packages, { recursive: true });
  const include = '--include=ca-certificates,libatomic1,libstdc++6';
  show('debootstrap', ['--variant=minbase', include, 'bookworm', rootfs]);
  await writeFile(join(packages, 'package.json'), '{}');
  show('npm', ['install', '--no-audit', '--no-fund', 'node@24', 'npm@11'], { cwd: packages });
  const local = join(rootfs, 'usr', 'local');
  await cp(join(packages, 'node_modules', 'node', 'bin', 'node'), join(local, 'bin', 'node'));
  await chmod(join(local, 'bin', 'node'), 0o755);
  await cp(join(packages, 'node_modules', 'npm'), join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
  // The registry may be behind a proxy with a certificate authority of its own.
  const authorities = '/etc/ssl/certs/ca-certificates.crt';
  await cp(authorities, join(rootfs, authorities));
  const container = buildah('from', 'scratch');
  buildah('add', container, rootfs, '/');
  buildah('config', `--env=NODE_EXTRA_CA_CERTS=${authorities}`, container);
  buildah('commit', '--rm', container, base);
}

const toImageName = (target) => `localhost/lensforge/${target}:dev`;
const readDetails = (target) => JSON.parse(buildah('inspect', '--type=image', toImageName(target))).OCIv1;

/** The command of each image, and the folder of their file system, which they share. */
function mountImages() {
  const details = Object.fromEntries(targets.map((target) => [target, readDetails(target)]));
  const layers = new Set(Object.values(details).map(({ rootfs }) => rootfs.diff_ids.join()));
  if (layers.size !== 1) throw new Error('the images do not share their layers');
  const commands = Object.fromEntries(
    Object.entries(details).map(([target, { config }]) => [
      target,
      [...(config.Entrypoint ?? []), ...(config.Cmd ?? [])],
    ]),
  );
  return { commands, folder: buildah('mount', buildah('from', '--pull-never', toImageName('operate'))) };
}

/** The executable files besides Node.js, shared libraries and the programs of the platform. */
function programsIn(folder) {
  const files = execFileSync('find', [folder, '-type', 'f', '-perm', '/111', '-printf', '%P\n'], { encoding: 'utf8' });
  const expected = /^(usr\/local\/bin\/node|app\/.*\.(js|mjs|node)|(usr\/)?lib(64)?\/.*\.so[.\d]*)$/;
  return files.split('\n').filter((name) => name !== '' && !expected.test(name));
}

const readSize = (target) => JSON.parse(buildah('images', '--json', toImageName(target)))[0].size;

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

await mkdir(home, { recursive: true });
say('base image');
await makeBase();
if (!process.argv.includes('--built')) {
  say('images');
  buildWithBuildah({ base, options });
}
for (const target of targets) {
  const size = readSize(target);
  say(`  ${target}: ${size}`);
  const bytes = Number.parseFloat(size) * (/GB/.test(size) ? 1e9 : 1e6);
  if (!(bytes <= limitBytes)) throw new Error(`the image ${target} is larger than ${limitBytes / 1e6} MB`);
}
if (process.argv.includes('--twice')) {
  say('the same build again');
  const again = 'localhost/lensforge/again:dev';
  buildWithBuildah({ base, options, only: ['operate'], tagOf: () => again, more: ['--no-cache'] });
  // The rest of the image, which is in Docker's format for its health check, names the containers of the build.
  const [first, second] = [toImageName('operate'), again].map((name) => {
    const { rootfs, config } = JSON.parse(buildah('inspect', '--type=image', name)).OCIv1;
    return JSON.stringify({ layers: rootfs.diff_ids, config });
  });
  if (first !== second) throw new Error(`two builds of a commit differ:\n${first}\n${second}`);
  say(`  its layers and configuration are equal: ${JSON.parse(first).layers.join(', ')}`);
}
const images = mountImages();
const others = programsIn(images.folder);
if (others.length > 0) throw new Error(`the images have programs besides Node.js: ${others.join(', ')}`);
say('no shell and no program besides Node.js');
const bill = JSON.parse(await readFile(join(images.folder, 'app', 'sbom.cdx.json'), 'utf8'));
say(`bill of materials: ${bill.bomFormat} ${bill.specVersion}, ${bill.components.length} packages`);
say('journey');
await journey(images);
