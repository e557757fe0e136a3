import { DomainError } from '@lensforge/core';
import type { Insertion, NewRun } from '../insert-runs.js';

/** Inserts the first of several runs with one idempotency key and returns it for the others too. */
export async function oncePerKey(
  runs: readonly NewRun[],
  insert: (unique: readonly NewRun[]) => Promise<(Insertion | DomainError)[]>,
): Promise<(Insertion | DomainError)[]> {
  const firstByKey = new Map<string, NewRun>();
  for (const run of runs) {
    const name = toDedupKey(run);
    if (!firstByKey.has(name)) firstByKey.set(name, run);
  }
  const inserted = await insert([...firstByKey.values()]);
  const byKey = new Map(
    [...firstByKey.keys()].map((name, index) => [name, inserted[index] as Insertion | DomainError]),
  );
  return runs.map((run) => {
    const name = toDedupKey(run);
    const outcome = byKey.get(name) as Insertion | DomainError;
    return outcome instanceof DomainError || firstByKey.get(name) === run ? outcome : { ...outcome, isNew: false };
  });
}

/** Runs with the same key are one run. */
const toDedupKey = ({ id, key, accountId, targetId }: NewRun): string =>
  key === null ? id : `${accountId} ${targetId} ${key}`;
