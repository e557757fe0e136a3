import { useCallback, useState } from 'react';
import { useConsole } from '../session/console';

// Changes that are not saved yet. They stay in this browser until they are saved or discarded, over other views and reloads.

const prefix = 'lensforge.draft.';

const listKeys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

export const countDrafts = (): number => listKeys().length;

export function discardDrafts(): void {
  for (const key of listKeys()) localStorage.removeItem(key);
}

function readDraft<T>(key: string, isDraft: (stored: Partial<T>) => boolean): T | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as T | null;
    return stored !== null && isDraft(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

function storeDraft(key: string, draft: unknown): void {
  try {
    if (draft === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // The storage of the browser is full or off; the draft is there until the view is left.
  }
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
      storeDraft(key, next);
      setDraft(next);
    },
    [key],
  );
  return [draft, change];
}
