/**
 * Turns concurrent single calls into few calls with many items. While `atOnce` batches are under way new items wait for
 * the next one; an idle gatherer sends a lone item in the same tick, so nobody waits for company.
 */
export function batchCalls<I, O>(
  work: (items: I[]) => Promise<readonly O[]>,
  { most, atOnce }: { most: number; atOnce: number },
): (item: I) => Promise<O> {
  interface Waiting {
    item: I;
    resolve: (outcome: O) => void;
    reject: (reason: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let underWay = 0;
  let scheduled = false;

  const send = (): void => {
    scheduled = false;
    while (underWay < atOnce && waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      underWay += 1;
      void settle(batch);
    }
  };

  const settle = async (batch: Waiting[]): Promise<void> => {
    try {
      const outcomes = await work(batch.map(({ item }) => item));
      if (outcomes.length !== batch.length) throw new Error('a gathered call answered for another number of items');
      batch.forEach(({ resolve }, index) => resolve(outcomes[index] as O));
    } catch (reason) {
      for (const { reject } of batch) reject(reason);
    } finally {
      underWay -= 1;
      send();
    }
  };

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!scheduled && underWay < atOnce) {
        scheduled = true;
        setImmediate(send);
      }
    });
}
