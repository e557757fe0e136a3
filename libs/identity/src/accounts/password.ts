import { availableParallelism } from 'node:os';
import { gate } from './hashing-gate.js';
import type { Hashing } from './hashing-thread.js';
import { HashingThread } from './hashing-thread.js';
import { isScryptPassword } from './scrypt-password.js';

/** argon2id, about 60 ms and 19 MiB; what a hash was made with stands in it, so this may rise. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const current = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

/** Each hashing fills a core; half of them are left for everything else. */
const atOnce = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
const idle = Array.from({ length: atOnce }, () => new HashingThread());
const inTurn = gate({ atOnce, queued: 8 });

/** Sends somebody away whose password could not be looked at anyway. */
export const findSlot = (): void => inTurn.look();

const plain = (password: string): string => password.normalize('NFKC');

export const hashPassword = (password: string): Promise<string> =>
  inTurn(async () => String(await inThread({ password: plain(password), cost })));

export const isPassword = (password: string, stored: string): Promise<boolean> =>
  inTurn(async () => {
    if (stored.startsWith('$scrypt$')) return isScryptPassword(plain(password), stored);
    return stored.startsWith('$argon2id$') && (await inThread({ password: plain(password), stored })) === true;
  });

/** The gate lets in as many as there are threads. */
async function inThread(work: Hashing): Promise<string | boolean> {
  const thread = idle.pop();
  if (!thread) throw new Error('more passwords are let in than there are threads');
  try {
    return await thread.do(work);
  } finally {
    idle.push(thread);
  }
}

/** Made with another cost or in another way than one that is made today. */
export const needsRehash = (stored: string): boolean => !stored.startsWith(current);

/** Of a password that nobody knows: whoever is unknown is compared with it, at the cost of all others. */
export const dummyHash = `${current}KwzASdY2EFZXHIIJTlo3qA$mSyvZuF5rK3NZIkzUGlym4lnNVQMa/hMjyT87KZIol8`;
