const maxExtensions = 5;

/** Rejects when Redis is slow, so that a process can count by itself. A timer that fires late shows that this process was busy, and is set again. */
export function withRedisTimeout<T>(work: Promise<T>, timeoutMs = 250): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const arm = (extensions: number): void => {
      const armedAt = performance.now();
      timer = setTimeout(() => {
        const late = performance.now() - armedAt > timeoutMs * 1.2;
        if (late && extensions < maxExtensions) arm(extensions + 1);
        // Wait for one more iteration of the event loop: the reply may be in the socket already.
        else setImmediate(() => reject(new Error(`Redis did not answer within ${timeoutMs} ms`)));
      }, timeoutMs);
    };
    arm(0);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
