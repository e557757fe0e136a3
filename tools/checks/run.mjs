import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const running = new Set();
let endingWith;

/** Registered first, so that a stop is known before the end of a child starts the next one. */
const leaveWhenDone = () => {
  if (endingWith !== undefined && running.size === 0) process.exit(endingWith);
};

/** Passes a signal on to running children, which get time to stop their servers. */
const endWith = (signal, exitCode) => {
  endingWith = exitCode;
  for (const child of running) child.kill(signal);
  leaveWhenDone();
  setTimeout(() => process.exit(exitCode), 20_000);
};
process.once('SIGINT', () => endWith('SIGINT', 130));
process.once('SIGTERM', () => endWith('SIGTERM', 143));

/** Starts a node program of node_modules (or of ours) from the repository's root. */
export const start = (script, args, { output = 'pipe', env = process.env } = {}) => {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', output, output],
  });
  running.add(child);
  child.once('close', () => {
    running.delete(child);
    leaveWhenDone();
  });
  return child;
};

/** Lowers the priority of pure computation, so that tests with processes are not delayed. */
const stepBack = ({ pid }) => {
  try {
    if (pid !== undefined) setPriority(pid, 15);
  } catch {
    // The process has ended already, or the system does not allow it.
  }
};

/** Runs a program to its end; `fault` is its output if it failed. */
export const run = (script, args, options) =>
  new Promise((resolve) => {
    const child = start(script, args, options);
    stepBack(child);
    let said = '';
    child.stdout.on('data', (piece) => (said += piece));
    child.stderr.on('data', (piece) => (said += piece));
    child.once('error', (error) => resolve({ fault: error.message }));
    child.once('close', (code, signal) => {
      resolve({ fault: code === 0 ? undefined : said.trim() || `${script} ended with ${signal ?? code}` });
    });
  });
