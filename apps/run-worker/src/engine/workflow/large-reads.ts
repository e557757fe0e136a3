/** A mutex that lets one caller at a time hold large values in memory. */
export class LargeReads {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves with the function that releases the mutex. */
  async acquire(): Promise<() => void> {
    const { promise, resolve } = withResolvers();
    const before = this.last;
    this.last = promise;
    await before;
    return resolve;
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
