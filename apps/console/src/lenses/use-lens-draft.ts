import { useMutation } from '@tanstack/react-query';
import { ConflictError, type shapes } from '@lensforge/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useConsole } from '../session/console';
import { useDraft } from '../ui/drafts';
import { type LensDraft, fromKeptDraft, isLensDraft, isSameDraft, settleDrafts, toKeptDraft } from './lens-draft';

const pauseMs = 1500;

export interface KeptDraft {
  draft: LensDraft | undefined;
  change: (draft: LensDraft | undefined) => void;
  /** The draft of another browser, while the person has to choose. */
  other: LensDraft | undefined;
  /** How often another draft took the place of the one that was shown. */
  taken: number;
  /** Chooses one of both. */
  choose: (draft: LensDraft) => void;
}

/**
 * The draft of a lens, which this browser keeps at each key, and the account of its owner after a pause. The account has it in
 * other browsers, too.
 */
export function useLensDraft(lens: shapes.LensRecord, isMine: boolean): KeptDraft {
  const { client } = useConsole();
  const [draft, setDraft] = useDraft<LensDraft>(`lens.${lens.id}`, isLensDraft);
  const latest = useRef(draft);
  const [other, setOther] = useState<LensDraft>();
  const [isSettled, setSettled] = useState(false);
  const [taken, setTaken] = useState(0);
  /** The time of the draft that the account has, as far as this view knows. */
  const known = useRef<string>(undefined);
  const store = useCallback(
    (next: LensDraft | undefined): void => {
      latest.current = next;
      setDraft(next);
    },
    [setDraft],
  );

  const settle = useCallback(async (): Promise<void> => {
    const { draft: account } = await client.lenses.getDraft(lens.id);
    const found = account === null ? undefined : fromKeptDraft(account);
    known.current = found?.continues;
    const step = settleDrafts(latest.current, found);
    if (step === 'ask') setOther(found);
    else if (step !== 'stay') {
      store(found);
      setTaken((before) => before + 1);
    }
    setSettled(true);
  }, [client, lens.id, store]);
  useEffect(() => {
    // Without an answer, the draft stays in this browser alone.
    if (isMine) void settle().catch(() => undefined);
  }, [isMine, settle]);

  const { mutate: send } = useMutation({
    // One after another, also when the view is left and opened meanwhile.
    scope: { id: `draft of ${lens.id}` },
    mutationFn: async (next: LensDraft | undefined) => {
      const continues = known.current;
      if (next) return client.lenses.saveDraft(lens.id, { ...toKeptDraft(next), continues: continues ?? null });
      return client.lenses.discardDraft(lens.id, continues === undefined ? {} : { continues });
    },
    onSuccess: ({ draft: kept }, sent) => {
      known.current = sent && kept?.updatedAt;
      const now = latest.current;
      if (!sent || !kept) return;
      if (now) store({ ...now, continues: kept.updatedAt, isKept: isSameDraft(now, sent) });
      else send(undefined);
    },
    onError: (error) => {
      if (error instanceof ConflictError) void settle().catch(() => undefined);
    },
  });
  const isWaiting = isMine && isSettled && other === undefined;
  useEffect(() => {
    if (!isWaiting || !draft || draft.isKept) return;
    const timer = setTimeout(() => send(draft), pauseMs);
    return () => clearTimeout(timer);
  }, [draft, isWaiting, send]);
  // The view may be left within the pause.
  const leave = useRef<() => void>(undefined);
  useEffect(() => {
    leave.current = () => {
      if (isWaiting && latest.current && !latest.current.isKept) send(latest.current);
    };
  }, [isWaiting, send]);
  useEffect(() => () => leave.current?.(), []);

  const choose = useCallback(
    (next: LensDraft): void => {
      setOther(undefined);
      setTaken((before) => before + 1);
      store({ ...next, continues: known.current });
    },
    [store],
  );
  const change = useCallback(
    (next: LensDraft | undefined): void => {
      if (next) return store({ ...next, isKept: false });
      // Discarding or saving one of two drafts leaves the other.
      if (other) return choose(other);
      store(undefined);
      if (known.current !== undefined) send(undefined);
    },
    [store, choose, other, send],
  );
  return { draft, change, other, taken, choose };
}
