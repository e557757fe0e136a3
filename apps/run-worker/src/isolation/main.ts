import { once } from 'node:events';
import type { FromCell, ToCell } from './messages.js';

const say = (message: FromCell): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

// What is said before somebody listens waits here, from the first moment on: the worker may die before the engine stands.
const inbox: ToCell[] = [];
let hear = (message: ToCell): void => void inbox.push(message);
process.on('message', (message: ToCell) => hear(message));

// The worker has gone or wants no more of us: as if asked to stop. A job that it has still given is begun first.
const leave = (): void => void process.kill(process.pid, 'SIGTERM');
process.once('disconnect', () => {
  if (!inbox.some((message) => 'execute' in message)) leave();
});
const alive = setInterval(() => say({ alive: true }), 1000);
alive.unref();

const listen = (listener: typeof hear): void => {
  hear = listener;
  for (const message of inbox.splice(0)) hear(message);
  if (!process.connected) leave();
};
const environmentOf = (message: ToCell | undefined): Record<string, string> =>
  message && 'environment' in message ? message.environment : {};

const { runCell } = await import('./run-cell.js');
if (inbox.length === 0) await once(process, 'message');
await runCell({ environment: environmentOf(inbox[0]), worker: process.argv[2] ?? 'isolated', say, listen });
