import { pathToFileURL } from 'node:url';
import { Script, createContext } from 'node:vm';
import type { ReplyMessage, TaskMessage } from './messages.js';

// The program of a sandbox process. It runs one task after another, without the service's environment variables, so a
// task can reach no secrets.

type Task = (input: unknown) => unknown;

const reply = (message: ReplyMessage): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

const script = new Script('work()');

function runWithTimeout<T>(work: () => T, timeout: number): T {
  return script.runInContext(createContext({ work }), { timeout }) as T;
}

async function runTask({ module, task, input, outputBytes, guardMs }: TaskMessage): Promise<ReplyMessage> {
  try {
    const { tasks } = (await import(pathToFileURL(module).href)) as { tasks: Readonly<Record<string, Task>> };
    const work = tasks[task];
    if (!work) throw new Error(`${module} has no task ${task}`);
    reply({ begun: true });
    // An undefined member would be missing in the message.
    const result = (await runWithTimeout(() => work(input), guardMs)) ?? null;
    const size = Buffer.byteLength(JSON.stringify(result));
    return size > outputBytes ? { fault: { kind: 'output_too_large' } } : { result };
  } catch (reason) {
    return {
      fault: { kind: 'failed', message: reason instanceof Error ? (reason.stack ?? reason.message) : 'failed' },
    };
  }
}

process.on('message', (message: TaskMessage) => void runTask(message).then(reply));
process.on('disconnect', () => process.exit());
