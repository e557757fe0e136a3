import { useCallback, useState } from 'react';
import { useConsole } from '../session/console';
import { readStored, store } from './stored';

// Changes that are not saved yet. They stay in this browser until they are saved or discarded, over other views and reloads.

const prefix = 'lensforge.draft.';

const listKeys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

/** The drafts of which the account has no copy. */
export const countDrafts = (): number =>
  listKeys().filter((key) => !(readStored(key) as { isKept?: boolean } | undefined)?.isKept).length;

export function discardDrafts(): void {
  for (const key of listKeys()) localStorage.removeItem(key);
}

function readDraft<T>(key: string, isDraft: (stored: Partial<T>) => boolean): T | undefined {
  const stored = readStored(key) as T | undefined;
  return stored !== undefined && isDraft(stored) ? stored : undefined;
}

/**
 * The draft of an object, such as `lens.ID`, of the account that is signed in. `isDraft` refuses what an earlier version of the
 * console has stored in another shape.
 */
export function useDraft<T>(
  of: string,
  isDraft: (stored: Partial<T>) => boolean,
): [draft: T | undefined, change: (draft: T | undefined) => void] {
  const { me } = useConsole();
  const key = `${prefix}${me.account?.id ?? ''}.${of}`;
  const [draft, setDraft] = useState(() => readDraft<T>(key, isDraft));
  const change = useCallback(
    (next: T | undefined): void => {
      store(key, next);
      setDraft(next);
    },
    [key],
  );
  return [draft, change];
}
