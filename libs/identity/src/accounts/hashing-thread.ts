import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

export interface HashingCost {
  algorithm: number;
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

export type Hashing = { password: string; cost: HashingCost } | { password: string; stored: string };

/** How far a thread stands back: it gets a tenth of a core that others want, and all of one that nobody wants. */
const niceness = 10;

/** What a thread does. As text, so that it starts the same from source and from a build. */
const program = `
const { getPriority, setPriority } = require('node:os');
const { parentPort, workerData: { argon2, niceness } } = require('node:worker_threads');
const { hashSync, verifySync } = require(argon2);
// On Linux this is about the calling thread; elsewhere it would hold for the whole process.
if (process.platform === 'linux' && getPriority(0) < niceness) setPriority(0, niceness);
const verified = (stored, password) => {
  try {
    return verifySync(stored, password);
  } catch {
    return false; // It is not a hash.
  }
};
parentPort.on('message', ({ password, cost, stored }) =>
  parentPort.postMessage(cost ? hashSync(password, cost) : verified(stored, password)),
);
`;

/**
 * Hashes passwords one after the other, in a thread that stands back behind everything else on the machine: a crowd that
 * wants to sign in makes signing in slow, and nothing else. The thread starts with its first work.
 */
export class HashingThread {
  private thread: Worker | undefined;

  /** Not before the last call was answered. */
  async do(work: Hashing): Promise<string | boolean> {
    const thread = (this.thread ??= this.start());
    thread.ref();
    try {
      return await answerOf(thread, work);
    } finally {
      // An idle thread keeps no process from ending.
      thread.unref();
    }
  }

  private start(): Worker {
    const argon2 = createRequire(import.meta.url).resolve('@node-rs/argon2');
    const thread = new Worker(program, { eval: true, workerData: { argon2, niceness } });
    const forget = (): void => {
      if (this.thread === thread) this.thread = undefined;
    };
    thread.once('exit', forget);
    thread.once('error', forget);
    return thread;
  }
}

function answerOf(thread: Worker, work: Hashing): Promise<string | boolean> {
  return new Promise((resolve, reject) => {
    const ended = (reason: unknown): void => {
      reject(new Error('the thread that hashes passwords has ended', { cause: reason }));
    };
    thread.once('error', ended);
    thread.once('exit', ended);
    thread.once('message', (answer: string | boolean) => {
      thread.off('error', ended);
      thread.off('exit', ended);
      resolve(answer);
    });
    thread.postMessage(work);
  });
}
