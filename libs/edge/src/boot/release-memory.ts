import { Session } from 'node:inspector/promises';

/** The delay after the start, since other processes of the machine may be starting too. */
const delayMs = 1500;

/**
 * Collects garbage and returns the freed heap to the operating system, which V8 otherwise does only when memory is short.
 * Loading the modules leaves about a quarter of the heap unused. Takes about 100 ms.
 */
export async function releaseMemory(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}

/** Releases memory once, shortly after the start of a service. */
export function releaseMemorySoon<S>(service: S): S {
  setTimeout(() => void releaseMemory().catch(() => undefined), delayMs).unref();
  return service;
}
