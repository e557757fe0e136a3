/** Serialises work per key in this process, so that waiters for a row lock hold no database connection. */
export function keyedMutex(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work, work);
    const cleanUp = (): void => {
      if (last.get(key) === result) last.delete(key);
    };
    last.set(key, result);
    result.then(cleanUp, cleanUp);
    return result;
  };
}
