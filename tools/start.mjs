import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { askForProviders } from './ask-for-providers.mjs';
import { startDetached } from './detach.mjs';
import { NotReady, build, changedProjects, checkNode, install, isInstalled, root } from './ready.mjs';

// npm start: runs all of Lensforge in the foreground. Uses no packages, since it runs before an install.
const usage = `npm start                    starts Lensforge here; Ctrl-C stops it
npm start -- --fresh         the same with an empty database
npm start -- --logs          shows the logs of all processes, too
npm start -- --detach        starts it in the background, and returns when it is ready
npm start -- --stop          stops it
npm start -- --status        says whether it runs, with its addresses
npm start -- --show          prints the page of the running platform again
npm start -- --env           prints its addresses and tokens for a shell: eval "$(npm start -s -- --env)"
npm start -- --service-env   prints its settings for operate and lensforge-mcp in the same way
npm start -- --with openai   asks for the API key of a provider once, and stores it encrypted;
                             also anthropic, google, openai-compatible (your own server)

LENSFORGE_PORT_BASE     first port (4000)
LENSFORGE_HOME          where data and logs are kept (.lensforge)
LENSFORGE_REPLICAS      several of a kind, as in api-gateway=2,run-worker=3
LENSFORGE_ALL_IN_ONE    on: all services in one process, with a fifth of the memory
LENSFORGE_SAMPLES       off: without the sample runs, battles and threads of the demo users
DATABASE_URL REDIS_URL  servers to use in place of the embedded ones
`;

const startedAt = performance.now();
const interruption = new AbortController();
const { signal } = interruption;
let askedAt;

function stop() {
  // One Ctrl-C arrives twice: from the terminal and from npm. Only a later one forces the exit.
  if (askedAt !== undefined && performance.now() - askedAt > 1500) process.exit(130);
  askedAt ??= performance.now();
  interruption.abort();
}

/** True if SIGHUP is ignored, as under nohup; a handler in Node would override that. */
function ignoresHangUp() {
  try {
    const [, ignored] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return (BigInt(`0x${ignored}`) & 1n) === 1n;
  } catch {
    return true;
  }
}

for (const name of ['SIGINT', 'SIGTERM', ...(ignoresHangUp() ? [] : ['SIGHUP'])]) process.on(name, stop);

// Stops when npm was killed, since no signal would arrive.
const parent = process.ppid;
const watch = () => process.ppid === parent || signal.aborted || stop();
if (process.env.npm_lifecycle_event === 'start') setInterval(watch, 500).unref();

/** Options that are about a running platform, with the function of tools/dev/src/running.ts for each. */
const shown = {
  '--status': 'showStatus',
  '--stop': 'stopRunning',
  '--show': 'showPage',
  '--env': 'showEnv',
  '--service-env': 'showServiceEnv',
};

/** The options of the command line; throws for unknown ones. */
function readOptions(args) {
  const options = { fresh: false, logs: false, detach: false, show: undefined, with: [] };
  for (let at = 0; at < args.length; at += 1) {
    const [name, value] = args[at].split(/=(.*)/s, 2);
    if (name === '--with') options.with.push(value ?? args[(at += 1)] ?? '');
    else if (['--fresh', '--logs', '--detach'].includes(args[at])) options[name.slice(2)] = true;
    else if (args[at] in shown) options.show = shown[args[at]];
    else throw new NotReady(`${args[at]} is not known here.\n\n${usage}`);
  }
  return options;
}

/** The first start takes a while, so it says what it does and for how long. */
function announceFirstStart() {
  const steps = [
    !isInstalled({ dev: false }) && 'installs the packages (about half a minute)',
    changedProjects().length > 20 && 'builds the programs (about ten seconds)',
    !existsSync(join(home(), 'postgres')) && 'creates the database (a few seconds)',
  ].filter(Boolean);
  if (steps.length > 1) process.stderr.write(`  The first start ${steps.join(', ')}. Later ones take seconds.\n`);
}

const folder = process.env.INIT_CWD ?? process.cwd();
const home = () =>
  process.env.LENSFORGE_HOME ? resolve(folder, process.env.LENSFORGE_HOME) : join(root, '.lensforge');

async function show(name) {
  if (!isInstalled({ dev: false }) || !existsSync(join(root, 'tools', 'dev', 'dist'))) {
    throw new NotReady('No platform is running here: start one with npm start.');
  }
  const running = await import('@lensforge/dev/running');
  process.stdout.write(`${await running[name](process.env, folder)}\n`);
}

async function start(args) {
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(usage);
  const options = readOptions(args);
  checkNode();
  if (options.show) return show(options.show);

  const { fresh, logs } = options;
  if (options.detach) {
    if (options.with.length > 0) throw new NotReady('--with asks for a key: use it once without --detach.');
    const rest = args.filter((each) => each !== '--detach');
    return startDetached(import.meta.filename, rest, { home: home(), environment: process.env, signal });
  }
  const providerKeys = await askForProviders(options.with, { home: home(), fresh, environment: process.env, signal });
  announceFirstStart();
  await install({ signal, dev: false });
  // The launcher needs the libraries: changed ones are built first. Apps are built, and all are bundled, while it works.
  const quietly = { signal, log: !logs };
  const libraries = changedProjects().filter(({ workspace }) => workspace !== 'apps');
  if (libraries.length > 0)
    await build(
      libraries.map(({ name }) => name),
      quietly,
    );
  const abandoned = new AbortController();
  const built = build(undefined, { ...quietly, signal: AbortSignal.any([signal, abandoned.signal]) });
  built.catch(() => undefined);
  const { runCommand } = await import('@lensforge/dev');
  try {
    await runCommand({ fresh, logs, providerKeys, environment: process.env, folder, startedAt, built, signal });
  } finally {
    abandoned.abort();
    await built.catch(() => undefined);
  }
}

const plain = ['NotReady', 'StartupError', 'ServerFault'];

try {
  await start(process.argv.slice(2));
} catch (error) {
  process.exitCode = signal.aborted ? 130 : 1;
  if (!signal.aborted) process.stderr.write(`${plain.includes(error.name) ? error.message : error.stack}\n`);
}
// An open handle must not keep a stopped platform in the foreground.
process.exit();
