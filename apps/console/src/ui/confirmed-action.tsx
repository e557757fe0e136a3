import { type ReactNode, useId, useRef } from 'react';
import { operatorTexts } from '../view-texts/operator';
import { Action } from './action';

interface Props {
  /** Asks in the dialog, with the effect. */
  question: string;
  onAct: () => Promise<unknown>;
  children: ReactNode;
}

/** A button for an act that concerns others, which a dialog confirms first. */
export function ConfirmedAction({ question, onAct, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const act = async (): Promise<void> => {
    await onAct();
    dialog.current?.close();
  };
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {children}
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <p id={id}>{question}</p>
        <div className="row">
          <Action className="danger" onAct={act}>
            {operatorTexts.yes}
          </Action>
          <button type="button" onClick={() => dialog.current?.close()}>
            {operatorTexts.no}
          </button>
        </div>
      </dialog>
    </>
  );
}
