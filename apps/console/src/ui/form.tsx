import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { announce } from './announce';
import { describeFault } from './fault';
import { readIssues } from './issues';

interface Props {
  onSend: (values: FormData) => Promise<unknown>;
  action: string;
  /** Empties the fields after a success. */
  clears?: boolean;
  /** Told in a corner of the window after a success. */
  done?: string;
  /** The effect cannot be undone. */
  isDangerous?: boolean;
  children: ReactNode;
}

/** A form whose fields say what is wrong with them, by the browser's rules before it is sent and by the server's after. */
export function Form({ onSend, action, clears = false, done, isDangerous = false, children }: Props) {
  const form = useForm({ shouldUnregister: true });
  const element = useRef<HTMLFormElement>(null);
  const [sent, setSent] = useState(0);
  const send = useMutation({ mutationFn: onSend });
  const isField = (path: string): boolean => path in form.getValues();
  const submit = form.handleSubmit(() => {
    const { current } = element;
    // Fields of other kinds, such as files, show the browser's own message.
    if (!current?.reportValidity()) return;
    send.mutate(new FormData(current), {
      onSuccess: () => {
        if (clears) setSent((before) => before + 1);
        if (done !== undefined) announce(done);
      },
      onError: (error) => {
        const placed = readIssues(error).filter(({ path }) => isField(path));
        for (const [at, { path, message }] of placed.entries())
          form.setError(path, { message }, { shouldFocus: at === 0 });
      },
    });
  });
  const issues = readIssues(send.error);
  const isPlaced = issues.length > 0 && issues.every(({ path }) => isField(path));
  return (
    <FormProvider {...form}>
      <form key={sent} className="form" ref={element} noValidate onSubmit={(event) => void submit(event)}>
        {children}
        {send.isError && !isPlaced && (
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
    </FormProvider>
  );
}

/** The text of a field, trimmed. */
export function readField(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
