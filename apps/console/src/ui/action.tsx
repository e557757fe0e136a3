import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeFault } from './fault';

interface Props {
  onAct: () => Promise<unknown>;
  className?: string;
  disabled?: boolean;
  children: ReactNode;
}

/** A button that does something and says why it did not work. */
export function Action({ onAct, className, disabled = false, children }: Props) {
  const act = useMutation({ mutationFn: onAct });
  return (
    <>
      <button type="button" className={className} disabled={disabled || act.isPending} onClick={() => act.mutate()}>
        {children}
      </button>
      {act.isError && (
        <span role="alert" className="notice bad">
          {describeFault(act.error)}
        </span>
      )}
    </>
  );
}
