import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts';
import { Fault } from './fault';

export const Loading = () => (
  <div className="state skeleton" role="status">
    {texts.loading}
  </div>
);

export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="state">
    <strong>{title}</strong>
    {children}
  </div>
);

/** The data of a query, or its loading or error state. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Fault error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading />;
}
