import { Session } from 'node:inspector/promises';

/** After its start a process is left alone for so long: others of the machine may be starting, too. */
const soonMs = 1500;

/**
 * A collection that also returns to the system what it has emptied, as V8 else does only when memory is short: loading
 * thousands of modules leaves a quarter of the heap behind. It takes a tenth of a second.
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

/** The same for a service that has just started, once. */
export function releaseMemorySoon<S>(service: S): S {
  setTimeout(() => void releaseMemory().catch(() => undefined), soonMs).unref();
  return service;
}
