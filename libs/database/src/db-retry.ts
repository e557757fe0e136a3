import { setTimeout as pause } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';

const passingStates = /^(40001|40P01|25P03|57P0[1-5]|08...|53300)$/;
const heldUpStates = /^(55P03|57014)$/;
const passingSocket = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const passingWords =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|query read timeout|not queryable|already released|connection is closed|driver not connected/i;

/** A fault of the line or of the moment: the same call may succeed when it is made again. */
export function isTransient(reason: unknown): boolean {
  if (!isNativeError(reason)) return false;
  const code = codeOf(reason);
  return (
    (code !== undefined && (passingStates.test(code) || passingSocket.has(code))) || passingWords.test(reason.message)
  );
}

/** Somebody held what the call needs for longer than a request may wait, as a process does that was frozen in the middle. */
export const isLockTimeout = (reason: unknown): boolean => heldUpStates.test(codeOf(reason) ?? '');

/** The SQLSTATE or socket code of a database fault. */
export function codeOf(reason: unknown): string | undefined {
  if (!isNativeError(reason)) return undefined;
  const { code, driverError } = reason as { code?: unknown; driverError?: { code?: unknown } };
  const found = code ?? driverError?.code;
  return typeof found === 'string' ? found : undefined;
}

/**
 * Makes the call again while the database restarts or a transaction must be repeated, for at most `within` ms; with
 * `heldUp` also when it took too long to get what it needs.
 */
export async function withDbRetry<T>(call: () => Promise<T>, { within = 6000, heldUp = false } = {}): Promise<T> {
  const until = performance.now() + within;
  for (let tries = 0; ; tries += 1) {
    try {
      return await call();
    } catch (reason) {
      const wait = Math.min(25 * 2 ** tries, 500) * (0.5 + Math.random());
      const passes = isTransient(reason) || (heldUp && isLockTimeout(reason));
      if (!passes || performance.now() + wait > until) throw reason;
      await pause(wait);
    }
  }
}

/** The same for a read that has begun already, if it has: it is used once, and when it failed, `again` takes its place. */
export function withDbRetryFrom<T>(begun: Promise<T> | undefined, again: () => Promise<T>): Promise<T> {
  let first = begun;
  return withDbRetry(() => {
    const read = first ?? again();
    first = undefined;
    return read;
  });
}
