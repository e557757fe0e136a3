export interface BatchOptions {
  /** The largest batch. */
  maxSize: number;
  /** The number of batches that may run at a time. */
  concurrency: number;
  /** From this size on, a batch is divided among the batches that may run now, so that they overlap. */
  divideFrom?: number;
}

/**
 * Combines concurrent single calls into batches. While `concurrency` batches run, further items wait for the next batch.
 * Otherwise an item is sent in the same tick, alone or with the others of that tick.
 */
export function batchCalls<I, O>(
  work: (items: I[]) => Promise<readonly O[]>,
  { maxSize, concurrency, divideFrom = Infinity }: BatchOptions,
): (item: I) => Promise<O> {
  interface QueuedCall {
    item: I;
    resolve: (result: O) => void;
    reject: (reason: unknown) => void;
  }
  let queued: QueuedCall[] = [];
  let running = 0;
  let scheduled = false;

  const send = (): void => {
    scheduled = false;
    while (running < concurrency && queued.length > 0) {
      const share = queued.length < divideFrom ? queued.length : Math.ceil(queued.length / (concurrency - running));
      const size = Math.min(share, maxSize);
      const batch = queued.slice(0, size);
      queued = queued.slice(size);
      running += 1;
      void run(batch);
    }
  };

  const run = async (batch: QueuedCall[]): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item));
      if (results.length !== batch.length)
        throw new Error('a batched call returned another number of results than it was given items');
      batch.forEach(({ resolve }, index) => resolve(results[index] as O));
    } catch (reason) {
      for (const { reject } of batch) reject(reason);
    } finally {
      running -= 1;
      send();
    }
  };

  return (item) =>
    new Promise<O>((resolve, reject) => {
      queued.push({ item, resolve, reject });
      if (!scheduled && running < concurrency) {
        scheduled = true;
        setImmediate(send);
      }
    });
}
