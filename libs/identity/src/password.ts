import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { gate } from './hashing-gate.js';
import { isScryptPassword } from './scrypt-password.js';

/** argon2id, about 60 ms and 19 MiB; what a hash was made with stands in it, so this may rise. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const current = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

/** Each hashing fills a core; half of them, and of Node's threads, are left for everything else. */
const inTurn = gate({ atOnce: Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2))), queued: 8 });

/** Sends somebody away whose password could not be looked at anyway. */
export const lookForPlace = (): void => inTurn.look();

const plain = (password: string): string => password.normalize('NFKC');

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(plain(password), cost));

export const isPassword = (password: string, stored: string): Promise<boolean> =>
  inTurn(async () => {
    if (stored.startsWith('$scrypt$')) return isScryptPassword(plain(password), stored);
    return stored.startsWith('$argon2id$') && (await verify(stored, plain(password)).catch(() => false));
  });

/** Made with another cost or in another way than one that is made today. */
export const needsRehash = (stored: string): boolean => !stored.startsWith(current);

/** Of a password that nobody knows: whoever is unknown is compared with it, at the cost of all others. */
export const nobodysHash = `${current}KwzASdY2EFZXHIIJTlo3qA$mSyvZuF5rK3NZIkzUGlym4lnNVQMa/hMjyT87KZIol8`;
