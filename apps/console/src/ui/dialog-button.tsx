import { type ReactNode, useRef, useState } from 'react';
import { texts } from '../texts';

interface Props {
  /** The name of the button and of the dialog. */
  name: string;
  /** The text of the button, where its row says the rest of the name. */
  text?: string;
  disabled?: boolean;
  /** The contents of the dialog, which are made when it opens. */
  children: () => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ name, text = name, disabled, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    setOpen(true);
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" disabled={disabled} aria-label={name} onClick={open}>
        {text}
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
