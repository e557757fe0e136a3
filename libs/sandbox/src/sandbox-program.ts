import { pathToFileURL } from 'node:url';
import { Script, createContext } from 'node:vm';
import { lowerPriority } from './lower-priority.js';
import type { ReplyMessage, TaskMessage } from './messages.js';

// The program of a sandbox process. It runs one task after another, without the service's environment variables, so a
// task can reach no secrets.

type Task = (input: unknown) => unknown;

const reply = (message: ReplyMessage): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

let isLowered = false;
const script = new Script('work()');

function runWithTimeout<T>(work: () => T, timeout: number): T {
  return script.runInContext(createContext({ work }), { timeout }) as T;
}

async function runTask({ module, task, input, outputBytes, guardMs }: TaskMessage): Promise<ReplyMessage> {
  try {
    const { tasks } = (await import(pathToFileURL(module).href)) as { tasks: Readonly<Record<string, Task>> };
    const work = tasks[task];
    if (!work) throw new Error(`${module} has no task ${task}`);
    // Loading takes half a second of processor time for some modules: on busy cores that was 0.9 s so, and 7.5 s at the low
    // priority. A process that is kept warm instead would take 50 MB of memory in every service.
    if (!isLowered) lowerPriority();
    isLowered = true;
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
