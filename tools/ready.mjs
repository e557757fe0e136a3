import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Prepares a fresh or changed checkout. Uses no packages, since it runs before an install.
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, '.nx', 'lensforge-built.json');
const lockFile = join(root, '.nx', 'lensforge-build.lock');

export class NotReady extends Error {
  name = 'NotReady';
}

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const readTime = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const say = (line) => process.stderr.write(`${line}\n`);

/** @param {string} version such as 20.19.0 */
export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  if (fits) return;
  throw new NotReady(
    `Lensforge needs Node.js 20.19 or a later 20, or 22.12 and later; this is ${version}. Get one from https://nodejs.org.`,
  );
}

/** Runs a program; `output` is the file that gets its output instead of stderr. */
const run = (file, args, { cwd = root, signal, output } = {}) =>
  new Promise((resolve) => {
    const to = output === undefined ? 2 : openSync(output, 'a');
    const child = spawn(file, args, {
      cwd,
      stdio: ['ignore', to, to],
      signal,
      shell: process.platform === 'win32' && !/\.(c|m)?js$/.test(args[0] ?? ''),
    });
    child.once('error', () => child.pid ?? resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
    if (output !== undefined) closeSync(to);
  });

/** A package that only developers need. */
const hasDevPackages = (at) => existsSync(join(at, 'node_modules', 'nx'));

/** True if node_modules matches the lock file; a newer lock file with the same versions matches, too. Without `dev`, packages of developers may be missing. */
export function isInstalled({ at = root, dev = true } = {}) {
  const wanted = join(at, 'package-lock.json');
  const present = join(at, 'node_modules', '.package-lock.json');
  if (!existsSync(present)) return false;
  if (readTime(present) >= readTime(wanted)) return !dev || hasDevPackages(at);
  const installed = json(present).packages;
  return Object.entries(json(wanted).packages).every(([path, { version, link, optional, peer, ...entry }]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true;
    if (!dev && (entry.dev || entry.devOptional) && !installed[path]) return true;
    if ((optional || peer) && !installed[path]) return true;
    return link ? Boolean(installed[path]) : installed[path]?.version === version;
  });
}

/** Installs what is missing: without `dev` what building and running needs, unless more was installed before. */
export async function install({ signal, dev = true } = {}) {
  if (isInstalled({ dev })) return;
  say('  installing packages (npm ci)');
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [file, ...before] = npm;
  const which = dev || hasDevPackages(root) ? '--include=dev' : '--omit=dev';
  const code = await run(file, [...before, 'ci', which, '--no-audit', '--no-fund'], { signal });
  if (code !== 0) throw new NotReady(`npm ci failed (exit code ${code}); see its output above.`);
}

const workspaces = ['libs', 'apps', 'tools'];
const forAll = ['.swcrc', 'tools/compile.mjs'];

/** @returns {{ workspace: string, name: string, folder: string }[]} */
function buildable() {
  const folders = workspaces.flatMap((workspace) =>
    readdirSync(join(root, workspace)).map((name) => ({ workspace, folder: join(root, workspace, name) })),
  );
  return folders
    .filter(({ folder }) => existsSync(join(folder, 'src')) && existsSync(join(folder, 'package.json')))
    .map((project) => ({ ...project, nx: json(join(project.folder, 'package.json')).nx }))
    .filter(({ nx }) => nx?.targets?.build)
    .map(({ workspace, folder, nx }) => ({ workspace, folder, name: nx.name }));
}

const line = (path) => {
  const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${relative(root, path)} ${mtimeMs} ${size}`;
};

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

/** A hash over names, times and sizes, which also detects deleted and restored files. */
function fingerprint(folder) {
  const all = [
    ...filesIn(join(folder, 'src')),
    join(folder, 'package.json'),
    ...forAll.map((name) => join(root, name)),
  ];
  return createHash('sha1').update(all.map(line).join('\n')).digest('base64');
}

const stamps = () => {
  try {
    return json(stampFile);
  } catch {
    return {};
  }
};

/** @returns {{ workspace: string, name: string, folder: string, mark: string }[]} what must be built, of `only` or of all */
export function changedProjects(only) {
  const known = stamps();
  return buildable()
    .filter(({ name }) => !only || only.includes(name))
    .map((project) => ({ ...project, mark: fingerprint(project.folder) }))
    .filter(({ name, folder, mark }) => known[name] !== mark || !existsSync(join(folder, 'dist')));
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

function lockHolder() {
  try {
    return Number(readFileSync(lockFile, 'utf8')) || process.pid;
  } catch {
    return process.pid;
  }
}

/** Allows one build at a time, since a build empties folders that another reads. */
async function alone(work) {
  for (;;) {
    try {
      mkdirSync(dirname(lockFile), { recursive: true });
      writeFileSync(lockFile, `${process.pid}`, { flag: 'wx' });
      break;
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) {
        throw new NotReady(
          `Something must be built, and ${root} cannot be written to (${error.code}): start as its owner.`,
        );
      }
      if (error.code !== 'EEXIST') throw error;
      if (isAlive(lockHolder())) await pause(200);
      else rmSync(lockFile, { force: true });
    }
  }
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

const pagesOutsideOfDocs = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'libs/contracts/README.md'];

/** The inputs of the programs and pages in bundle/. */
const ingredients = () => {
  const marks = buildable()
    .filter(({ workspace, name }) => workspace !== 'tools' || name === 'site')
    .map(({ folder }) => fingerprint(folder));
  const names = [
    'package-lock.json',
    'tools/bundle.mjs',
    'tools/compress.mjs',
    'tools/escape-characters.mjs',
    ...pagesOutsideOfDocs,
  ];
  const pages = ['docs', 'examples', 'tools/site/browser'].flatMap((name) => filesIn(join(root, name)));
  const others = [...names.map((name) => join(root, name)), ...pages].map(line);
  return createHash('sha1')
    .update([...marks, ...others].join('\n'))
    .digest('base64');
};

const isBundled = () => existsSync(join(root, 'bundle')) && stamps().bundle === ingredients();

const remember = (marks) => writeFileSync(stampFile, JSON.stringify({ ...stamps(), ...marks }));

const buildLog = join(root, '.nx', 'lensforge-build.log');

/** Starts the file that gets the output of a build instead of stderr; undefined without `log`. */
function openBuildLog(log) {
  if (!log) return undefined;
  mkdirSync(dirname(buildLog), { recursive: true });
  writeFileSync(buildLog, '');
  return buildLog;
}

/** The sentence about a failure, after the output of the build. */
function failure(what, code, output) {
  if (output === undefined) return new NotReady(`${what} failed (exit code ${code}); see its output above.`);
  const text = readFileSync(output, 'utf8').trimEnd().split('\n').slice(-40).join('\n');
  return new NotReady(`${text}\n${what} failed (exit code ${code}); all of its output is in ${output}.`);
}

/** Builds `only` some projects, or all and their bundles. With `log`, the output goes to a file. */
export async function build(only, { signal, log = false } = {}) {
  const isDone = () => changedProjects(only).length === 0 && (only || isBundled());
  if (isDone()) return;
  await alone(async () => {
    const output = openBuildLog(log);
    await buildProjects(changedProjects(only), { signal, output });
    if (only || isBundled()) return;
    const bundle = ingredients();
    say('  bundling the programs');
    remember({ bundle: undefined });
    const code = await run(process.execPath, [join('tools', 'bundle.mjs')], { signal, output });
    if (code !== 0) throw failure('Bundling', code, output);
    remember({ bundle });
  });
}

/** The console is built by Vite, all other packages are compiled file by file. */
async function buildConsole(folder, options) {
  const vite = createRequire(join(folder, 'package.json')).resolve('vite/package.json');
  const code = await run(process.execPath, [join(dirname(vite), json(vite).bin.vite), 'build'], {
    ...options,
    cwd: folder,
  });
  if (code !== 0) throw failure('The build of the console', code, options.output);
}

async function buildProjects(changed, { signal, output }) {
  if (changed.length === 0) return;
  const names = changed.map(({ name }) => name);
  say(output === undefined ? `building ${names.join(', ')}` : `  building ${names.length} packages`);
  const { compile } = await import('./compile.mjs');
  const work = changed.map(({ name, folder }) =>
    name === 'console' ? buildConsole(folder, { signal, output }) : compile(folder),
  );
  const [failed] = (await Promise.allSettled(work)).filter(({ status }) => status === 'rejected');
  if (failed)
    throw failed.reason instanceof NotReady ? failed.reason : new NotReady(`The build failed: ${failed.reason}`);
  signal?.throwIfAborted();
  remember(Object.fromEntries(changed.map(({ name, mark }) => [name, mark])));
}

/** Checks Node, packages and build; fast if all is current. */
export async function ready(only, { dev = true } = {}) {
  checkNode();
  await install({ dev });
  await build(only);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ready(undefined, { dev: false }).catch((error) => {
    say(error instanceof NotReady ? error.message : String(error.stack));
    process.exitCode = 1;
  });
}
