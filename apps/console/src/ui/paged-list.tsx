import type { ReactNode } from 'react';
import { texts } from '../texts';
import { Fault } from './fault';
import type { Paged } from './paged';
import { Empty, Loading } from './states';

interface Props<T> {
  paged: Paged<T>;
  /** The text of a list without items. */
  none: string;
  children: (items: readonly T[]) => ReactNode;
}

/** A list that is read page by page, with its states and a button for more. */
export function PagedList<T>({ paged: { items, isLoading, error, more, retry }, none, children }: Props<T>) {
  if (isLoading) return <Loading />;
  if (error && items.length === 0) return <Fault error={error} onRetry={retry} />;
  if (items.length === 0) return <Empty title={none} />;
  return (
    <>
      {children(items)}
      {more && (
        <button type="button" onClick={more}>
          {texts.more}
        </button>
      )}
    </>
  );
}
