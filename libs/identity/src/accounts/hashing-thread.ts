import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

export interface HashingCost {
  algorithm: number;
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

export type Hashing = { password: string; cost: HashingCost } | { password: string; stored: string };

/** The niceness of the thread: a tenth of a contended core, and all of an idle one. */
const niceness = 10;

/** The program of the thread, as text so that it runs from source and from a build. */
const program = `
const { getPriority, setPriority } = require('node:os');
const { parentPort, workerData: { argon2, niceness } } = require('node:worker_threads');
const { hashSync, verifySync } = require(argon2);
// On Linux the priority applies to the calling thread; elsewhere to the whole process.
if (process.platform === 'linux' && getPriority(0) < niceness) setPriority(0, niceness);
const verified = (stored, password) => {
  try {
    return verifySync(stored, password);
  } catch {
    return false; // Not a valid hash.
  }
};
parentPort.on('message', ({ password, cost, stored }) =>
  parentPort.postMessage(cost ? hashSync(password, cost) : verified(stored, password)),
);
`;

/**
 * Hashes passwords one by one in a low-priority thread, so that many sign-ins slow down only other sign-ins. The thread
 * starts with the first call.
 */
export class HashingThread {
  private thread: Worker | undefined;

  /** Hashes or verifies a password. Call it only when the previous call has returned. */
  async run(work: Hashing): Promise<string | boolean> {
    const thread = (this.thread ??= this.start());
    thread.ref();
    try {
      return await requestHash(thread, work);
    } finally {
      // An idle thread must not keep the process alive.
      thread.unref();
    }
  }

  private start(): Worker {
    const argon2 = createRequire(import.meta.url).resolve('@node-rs/argon2');
    const thread = new Worker(program, { eval: true, workerData: { argon2, niceness } });
    const onEnd = (): void => {
      if (this.thread === thread) this.thread = undefined;
    };
    thread.once('exit', onEnd);
    thread.once('error', onEnd);
    return thread;
  }
}

function requestHash(thread: Worker, work: Hashing): Promise<string | boolean> {
  return new Promise((resolve, reject) => {
    const onEnded = (reason: unknown): void => {
      reject(new Error('the password hashing thread has ended', { cause: reason }));
    };
    thread.once('error', onEnded);
    thread.once('exit', onEnded);
    thread.once('message', (answer: string | boolean) => {
      thread.off('error', onEnded);
      thread.off('exit', onEnded);
      resolve(answer);
    });
    thread.postMessage(work);
  });
}
