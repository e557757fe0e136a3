import { once } from 'node:events';
import type { FromIsolatedProcess, ToIsolatedProcess } from './messages.js';

const say = (message: FromIsolatedProcess): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

// What is said before somebody listens waits here, from the first moment on: the worker may die before the engine stands.
const inbox: ToIsolatedProcess[] = [];
let hear = (message: ToIsolatedProcess): void => void inbox.push(message);
process.on('message', (message: ToIsolatedProcess) => hear(message));

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
const environmentOf = (message: ToIsolatedProcess | undefined): Record<string, string> =>
  message && 'environment' in message ? message.environment : {};

const { runIsolatedEngine } = await import('./isolated-engine.js');
if (inbox.length === 0) await once(process, 'message');
await runIsolatedEngine({ environment: environmentOf(inbox[0]), worker: process.argv[2] ?? 'isolated', say, listen });
