import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotReady } from './ready.mjs';

// Starts Lensforge as a process of its own, which goes on when the terminal is closed.

const readText = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The process id of the launcher that is ready in a folder. */
function readLauncher(home) {
  try {
    return JSON.parse(readFileSync(join(home, 'dev.json'), 'utf8')).pid;
  } catch {
    return undefined;
  }
}

/** Starts `program` in the background and prints what it says until it is ready. Stops it again when `signal` aborts. */
export async function startDetached(program, args, { home, environment, signal }) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = join(home, 'start.log');
  const file = openSync(path, 'w', 0o600);
  // npm would end with this command; the launcher must not follow it.
  const { npm_lifecycle_event: _, ...env } = environment;
  const launcher = spawn(process.execPath, [program, ...args], { detached: true, stdio: ['ignore', file, file], env });
  closeSync(file);
  let end;
  launcher.on('error', (error) => (end = error.message));
  launcher.on('exit', (code, killedBy) => (end = `it ended with ${killedBy ?? `code ${code}`}`));
  let shown = 0;
  const follow = () => {
    const text = readText(path);
    process.stdout.write(text.slice(shown));
    shown = text.length;
  };
  while (end === undefined && readLauncher(home) !== launcher.pid) {
    if (signal.aborted) return void launcher.kill('SIGTERM');
    await sleep(200);
    follow();
  }
  follow();
  if (end !== undefined) throw new NotReady(`Lensforge did not start: ${end}. Its output is in ${path}.`);
  launcher.unref();
  process.stdout.write('  It runs in the background: npm start -- --stop stops it, --status says whether it runs.\n');
}
