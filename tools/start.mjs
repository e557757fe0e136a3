import { readFileSync } from 'node:fs';
import { NotReady, build, changedProjects, checkNode, install } from './ready.mjs';

// npm start [-- --fresh]: runs all of Lensforge in the foreground. Uses no packages, since it runs before an install.
const usage = `npm start               starts Lensforge here; Ctrl-C stops it
npm start -- --fresh    the same with an empty database

LENSFORGE_PORT_BASE     first port (4000)
LENSFORGE_HOME          where data is kept (.lensforge)
LENSFORGE_REPLICAS      several of a kind, as in api-gateway=2,run-worker=3
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

async function start(args) {
  const unknown = args.find((arg) => arg !== '--fresh');
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(usage);
  if (unknown) throw new NotReady(`${unknown} is not known here.\n\n${usage}`);

  checkNode();
  await install(signal);
  // The launcher needs the libraries: changed ones are built first. Apps are built while it works.
  if (changedProjects().some(({ workspace }) => workspace !== 'apps')) await build(undefined, signal);
  const abandoned = new AbortController();
  const built = build(undefined, AbortSignal.any([signal, abandoned.signal]));
  built.catch(() => undefined);
  const { runCommand } = await import('@lensforge/dev');
  const folder = process.env.INIT_CWD ?? process.cwd();
  try {
    await runCommand({ fresh: args.includes('--fresh'), environment: process.env, folder, startedAt, built, signal });
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
