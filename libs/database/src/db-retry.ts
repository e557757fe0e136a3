import { setTimeout as pause } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';

const transientStates = /^(40001|40P01|25P03|57P0[1-5]|08...|53300)$/;
const lockTimeoutStates = /^(55P03|57014)$/;
const transientSocketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const transientMessages =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|client has encountered a connection error|query read timeout|not queryable|already released|connection is closed|driver not connected/i;

/** True for connection failures, restarts and serialization failures: a retry may succeed. */
export function isTransient(reason: unknown): boolean {
  if (!isNativeError(reason)) return false;
  const code = getErrorCode(reason);
  return (
    (code !== undefined && (transientStates.test(code) || transientSocketCodes.has(code))) ||
    transientMessages.test(reason.message)
  );
}

/** True when a lock or statement timeout ended the call, for example because a frozen process holds a lock. */
export const isLockTimeout = (reason: unknown): boolean => lockTimeoutStates.test(getErrorCode(reason) ?? '');

/** The SQLSTATE or socket code of a database fault. */
export function getErrorCode(reason: unknown): string | undefined {
  if (!isNativeError(reason)) return undefined;
  const { code, driverError } = reason as { code?: unknown; driverError?: { code?: unknown } };
  const found = code ?? driverError?.code;
  return typeof found === 'string' ? found : undefined;
}

export interface DbRetryOptions {
  /** The last retry starts before this time is over. */
  timeoutMs?: number;
  /** Also retries after lock and statement timeouts. */
  retryLockTimeouts?: boolean;
}

/** Retries a call after transient database errors, with exponential back-off. */
export async function withDbRetry<T>(
  call: () => Promise<T>,
  { timeoutMs = 6000, retryLockTimeouts = false }: DbRetryOptions = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let tries = 0; ; tries += 1) {
    try {
      return await call();
    } catch (reason) {
      const wait = Math.min(25 * 2 ** tries, 500) * (0.5 + Math.random());
      const canRetry = isTransient(reason) || (retryLockTimeouts && isLockTimeout(reason));
      if (!canRetry || performance.now() + wait > deadline) throw reason;
      await pause(wait);
    }
  }
}
