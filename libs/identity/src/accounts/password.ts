import { availableParallelism } from 'node:os';
import { concurrencyLimiter } from './concurrency-limiter.js';
import { type Hashing, HashingThread } from './hashing-thread.js';
import { isScryptPassword } from './scrypt-password.js';

/** argon2id, about 60 ms and 19 MiB. A hash contains its parameters, so these can be raised. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const current = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

/** Each thread uses one core; half of the cores are left for other work. */
const concurrency = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
const idleThreads = Array.from({ length: concurrency }, () => new HashingThread());
const limited = concurrencyLimiter({ concurrency, queued: 8 });

/** Throws THROTTLED early when the password could not be checked. */
export const requireHashingSlot = (): void => limited.requireCapacity();

const normalized = (password: string): string => password.normalize('NFKC');

export const hashPassword = (password: string): Promise<string> =>
  limited(async () => String(await inThread({ password: normalized(password), cost })));

export const isPassword = (password: string, stored: string): Promise<boolean> =>
  limited(async () => {
    if (stored.startsWith('$scrypt$')) return isScryptPassword(normalized(password), stored);
    return stored.startsWith('$argon2id$') && (await inThread({ password: normalized(password), stored })) === true;
  });

/** The limiter runs as many calls as there are threads. */
async function inThread(work: Hashing): Promise<string | boolean> {
  const thread = idleThreads.pop();
  if (!thread) throw new Error('more passwords are hashed at once than there are threads');
  try {
    return await thread.run(work);
  } finally {
    idleThreads.push(thread);
  }
}

/** True for a hash with other parameters or another algorithm than the current one. */
export const needsRehash = (stored: string): boolean => !stored.startsWith(current);

/** The hash of an unknown password. Checking it makes sign-in take equally long for unknown users. */
export const dummyHash = `${current}KwzASdY2EFZXHIIJTlo3qA$mSyvZuF5rK3NZIkzUGlym4lnNVQMa/hMjyT87KZIol8`;
