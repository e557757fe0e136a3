import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeFault } from './fault';

interface Props {
  onSend: (values: FormData) => Promise<unknown>;
  action: string;
  /** Empties the fields after a success. */
  clears?: boolean;
  /** The effect cannot be undone. */
  isDangerous?: boolean;
  children: ReactNode;
}

/** A form that shows the message of the server when it is refused. */
export function Form({ onSend, action, clears = false, isDangerous = false, children }: Props) {
  const send = useMutation({ mutationFn: onSend });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        send.mutate(new FormData(form), { onSuccess: () => clears && form.reset() });
      }}
    >
      {children}
      {send.isError && (
        <p role="alert" className="notice bad">
          {describeFault(send.error)}
        </p>
      )}
      <div className="row">
        <button type="submit" className={isDangerous ? 'danger' : 'primary'} disabled={send.isPending}>
          {action}
        </button>
      </div>
    </form>
  );
}

/** The text of a field, trimmed. */
export function readField(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
