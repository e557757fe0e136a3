import { once } from 'node:events';
import { runProcess } from '@lensforge/edge';
import { startCell } from './start-cell.js';
import type { FromCell, ToCell } from './messages.js';

const say = (message: FromCell): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

// The worker has gone or wants no more of us: as if asked to stop.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
const alive = setInterval(() => say({ alive: true }), 1000);
alive.unref();

// A job may come before the engine stands: what is said before somebody listens waits here.
const inbox: ToCell[] = [];
process.on('message', (message: ToCell) => inbox.push(message));
await once(process, 'message');
const [first] = inbox.splice(0, 1);
const environment = first && 'environment' in first ? first.environment : {};
const listen = (hear: (message: ToCell) => void): void => {
  process.removeAllListeners('message').on('message', hear);
  for (const message of inbox.splice(0)) hear(message);
};
await runProcess('run-worker', () => startCell({ environment, worker: process.argv[2] ?? 'isolated', say, listen }));
