import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { texts } from '../texts';

// Most visits do without it, so it is not among the first scripts.
const Palette = lazy(async () => ({ default: (await import('./palette')).Palette }));

/** The dialog that goes to views and objects. It takes keys from the beginning, also while its scripts load. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="palette" aria-label={texts.palette.label} onClose={onClose}>
      <Suspense
        fallback={
          <input
            aria-label={texts.palette.label}
            placeholder={texts.palette.label}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        }
      >
        <Palette typed={typed} onType={setTyped} onGo={onClose} />
      </Suspense>
    </dialog>
  );
}
