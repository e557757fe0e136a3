import { type ReactNode, useRef, useState } from 'react';
import { texts } from '../texts';

interface Props {
  /** The text of the button, which also names the dialog. */
  name: string;
  disabled?: boolean;
  /** The contents of the dialog, which are made when it opens. */
  children: () => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ name, disabled, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    setOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" disabled={disabled} onClick={open}>
        {name}
      </button>
      <dialog ref={dialog} aria-label={name} onClose={() => setOpen(false)}>
        {isOpen && children()}
        <button type="button" onClick={() => dialog.current?.close()}>
          {texts.close}
        </button>
      </dialog>
    </>
  );
}
