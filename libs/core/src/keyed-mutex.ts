/**
 * Calls of one name follow one another, those of different names do not wait: who would only wait for a lock waits here,
 * without a connection in their hands.
 */
export function keyedMutex(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work, work);
    const leave = (): void => {
      if (last.get(name) === turn) last.delete(name);
    };
    last.set(name, turn);
    turn.then(leave, leave);
    return turn;
  };
}
