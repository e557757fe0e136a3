/** The time that tests wait for a condition, in milliseconds: long for slow machines, short while one is written. */
export const patienceMs = Number(process.env['TEST_PATIENCE_SECONDS'] ?? 300) * 1000;

interface UntilOptions {
  /** The timeout in milliseconds. */
  within?: number;
  every?: number;
  /** The awaited condition, for the error message. */
  what?: string | (() => string);
}

type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;

/** Polls until the predicate returns a truthy value; errors count as not yet true. */
export async function until<T>(
  predicate: () => T | Promise<T>,
  { within: timeoutMs = patienceMs, every = 20, what = 'the awaited condition' }: UntilOptions = {},
): Promise<Truthy<T>> {
  const deadline = performance.now() + timeoutMs;
  let reason: unknown;
  for (;;) {
    try {
      const value = await predicate();
      if (value) return value as Truthy<T>;
      reason = undefined;
    } catch (error) {
      reason = error;
    }
    if (performance.now() > deadline) {
      const condition = typeof what === 'string' ? what : what();
      throw new Error(`${condition} was not ready after ${timeoutMs} ms`, { cause: reason });
    }
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
