export const timedOut = Symbol('timed out');

/** The result of `work`, or `timedOut` after `ms`. A later failure of the work is ignored. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | typeof timedOut> {
  work.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(resolve, ms, timedOut);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
