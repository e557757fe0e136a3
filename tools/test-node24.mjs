import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { close } from './checks/closing-line.mjs';
import { jestRound } from './checks/jest-round.mjs';
import { root } from './checks/run.mjs';
import { ready } from './ready.mjs';

// npm run test:node24 [-- --quick or other arguments of npm test]: tests on Node.js 24, which images have. Without arguments it runs a
// selection of about a minute: the native addons, the sandbox, streams over HTTP, and a journey. Another Node.js is replaced by a download.
const version = '24.21.0';
const selection = [
  'libs/sandbox',
  'libs/identity/src/accounts/password.spec.ts',
  'libs/identity/src/accounts/hashing-thread.spec.ts',
  'libs/vault',
  'apps/api-gateway/src/event-stream',
];
const journey = 'apps/e2e/src/whole-run.journey.ts';

/** Node.js from the package that npm's `node` chooses by an install script. */
const download = () => {
  const { platform, arch } = process;
  const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const folder = join(root, '.nx', `node-${version}`);
  const program = join(folder, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2], shell: platform === 'win32' });
  return program;
};

/** Runs a program of this repository on Node.js 24, with all processes that it starts. */
const runOn = (program, script, args) => {
  const path = `${dirname(program)}${delimiter}${process.env.PATH}`;
  const child = spawn(program, [script, ...args], { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => (process.exitCode = code ?? 1));
};

const runSelection = async () => {
  await ready();
  const rounds = [
    await jestRound(['near', 'services'], [...selection, '--maxWorkers=2'], { DATABASE_PATIENCE: '3' }),
    await jestRound(['journey'], [journey, '--runInBand']),
  ];
  const passed = rounds.reduce((sum, round) => sum + round.passed, 0);
  close({ passed, faults: rounds.flatMap(({ faults }) => faults) }, `on Node.js ${process.versions.node}: `);
};

const args = process.argv.slice(2);

/** Undefined, with a line that says so, when the selection is skipped for want of Node.js 24. */
const findNode = () => {
  if (process.versions.node.startsWith('24.')) return process.execPath;
  try {
    return download();
  } catch (error) {
    if (args.length > 0) throw error;
    console.log(`skipped: the tests on Node.js ${version}, which could not be downloaded`);
    return undefined;
  }
};

const node = findNode();
if (node === process.execPath && args.length === 0) await runSelection();
else if (node) runOn(node, join(root, 'tools', args.length === 0 ? 'test-node24.mjs' : 'test.mjs'), args);
