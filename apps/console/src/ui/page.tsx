import { type ReactNode, useEffect } from 'react';
import { texts } from '../texts';
import { toVisible } from './visible-text';

interface Props {
  title: string;
  /** Shown above the title, such as the list that an object belongs to. */
  above?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A view: its heading, its actions and its contents. */
export function Page({ title, above, actions, children }: Props) {
  useEffect(() => {
    document.title = `${toVisible(title)} · ${texts.product}`;
  }, [title]);
  return (
    <>
      <header className="page-head">
        <div>
          {above && <div className="above">{above}</div>}
          <h1>{toVisible(title)}</h1>
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}
