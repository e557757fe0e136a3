import { spawn } from 'node:child_process';
import { waitForExit } from './child-process.js';

/* A shell reads from a pipe that only this process holds. When this process ends, even by SIGKILL, the pipe closes and
   the shell kills the child: first with the given signal, then with SIGKILL. A line on the pipe cancels this. */
const script = `
read -r _ && exit 0
kill -s "$2" "$1" 2>/dev/null || exit 0
n=0
while kill -0 "$1" 2>/dev/null; do
  [ "$n" -ge "$3" ] && { kill -s KILL "$1" 2>/dev/null; exit 0; }
  n=$((n+1)); sleep 0.2
done`;

/** Kills process `pid` when this process ends. The returned function cancels that. */
export function killWithParent(pid: number, signal: 'INT' | 'TERM' = 'TERM', timeoutMs = 10_000): () => Promise<void> {
  if (process.platform === 'win32') return () => Promise.resolve();
  const watcher = spawn(
    '/bin/sh',
    ['-c', script, 'lensforge-kill-with-parent', `${pid}`, signal, `${Math.ceil(timeoutMs / 200)}`],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      cwd: '/',
    },
  );
  watcher.on('error', () => {});
  watcher.stdin.on('error', () => {});
  watcher.unref();
  const ended = waitForExit(watcher);
  return async () => {
    watcher.ref();
    watcher.stdin.end('\n');
    await ended;
  };
}
