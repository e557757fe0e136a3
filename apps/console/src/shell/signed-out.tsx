import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';

/** Covers the views when the session has ended: nothing private is shown, and nothing that was written is lost. */
export function SignedOut() {
  const { session } = useConsole();
  const hasEnded = useSyncExternalStore(session.onEnd, () => session.hasEnded);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (hasEnded) dialog.current?.showModal();
  }, [hasEnded]);
  return (
    hasEnded && (
      <dialog
        ref={dialog}
        role="alertdialog"
        className="signed-out"
        aria-label={texts.faults.signedOut}
        onCancel={(event) => event.preventDefault()}
      >
        <p>{texts.faults.signedOut}</p>
        <button
          type="button"
          className="primary"
          onClick={() => void session.signIn(location.pathname + location.search)}
        >
          {texts.signIn.action}
        </button>
      </dialog>
    )
  );
}
