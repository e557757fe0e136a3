import { spawn } from 'node:child_process';
import { exitOf } from './child-process.js';

/* A shell waits on a pipe that only this process holds. When this process is gone, even by SIGKILL, the pipe ends
   and the shell ends the child: first politely, then for good. A line on the pipe means: not needed any more. */
const script = `
read -r _ && exit 0
kill -s "$2" "$1" 2>/dev/null || exit 0
n=0
while kill -0 "$1" 2>/dev/null; do
  [ "$n" -ge "$3" ] && { kill -s KILL "$1" 2>/dev/null; exit 0; }
  n=$((n+1)); sleep 0.2
done`;

/** Ties the life of process `pid` to the life of this one; the answer unties it and leaves nothing behind. */
export function killWithParent(pid: number, signal: 'INT' | 'TERM' = 'TERM', patienceMs = 10_000): () => Promise<void> {
  if (process.platform === 'win32') return () => Promise.resolve();
  const keeper = spawn(
    '/bin/sh',
    ['-c', script, 'lensforge-tether', `${pid}`, signal, `${Math.ceil(patienceMs / 200)}`],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      cwd: '/',
    },
  );
  keeper.on('error', () => {});
  keeper.stdin.on('error', () => {});
  keeper.unref();
  const ended = exitOf(keeper);
  return async () => {
    keeper.ref();
    keeper.stdin.end('\n');
    await ended;
  };
}
