import { once } from 'node:events';
import type { FromIsolatedProcess, ToIsolatedProcess } from './messages.js';

const send = (message: FromIsolatedProcess): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

// Messages are buffered from the first moment on, because the worker may die before the engine has started.
const received: ToIsolatedProcess[] = [];
let handle = (message: ToIsolatedProcess): void => void received.push(message);
process.on('message', (message: ToIsolatedProcess) => handle(message));

// The worker is gone or has released this process. A job that it has sent before is started first.
const stop = (): void => void process.kill(process.pid, 'SIGTERM');
process.once('disconnect', () => {
  if (!received.some((message) => 'execute' in message)) stop();
});
const alive = setInterval(() => send({ alive: true }), 1000);
alive.unref();

const receive = (listener: typeof handle): void => {
  handle = listener;
  for (const message of received.splice(0)) handle(message);
  if (!process.connected) stop();
};
const readEnvironmentMessage = (message: ToIsolatedProcess | undefined): Record<string, string> =>
  message && 'environment' in message ? message.environment : {};

const { runIsolatedEngine } = await import('./isolated-engine.js');
if (received.length === 0) await once(process, 'message');
await runIsolatedEngine({
  environment: readEnvironmentMessage(received[0]),
  worker: process.argv[2] ?? 'isolated',
  send,
  receive,
});
