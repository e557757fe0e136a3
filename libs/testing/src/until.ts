interface UntilOptions {
  /** Milliseconds after which waiting is given up. */
  within?: number;
  every?: number;
  what?: string | (() => string);
}

type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;

/** Waits for a fact that comes about on its own; a predicate that throws has not come about yet. */
export async function until<T>(
  predicate: () => T | Promise<T>,
  { within = 45_000, every = 20, what = 'what was waited for' }: UntilOptions = {},
): Promise<Truthy<T>> {
  const deadline = performance.now() + within;
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
      const fact = typeof what === 'string' ? what : what();
      throw new Error(`${fact} did not come about within ${within} ms`, { cause: reason });
    }
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
