import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useEffect, useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { describeFault } from '../ui/fault';
import { type RunFilters, toRunFilter } from './run-filters';

/** The statuses whose runs an action changes, of those that the filters show. */
const changeable = {
  retry: ['failed', 'timed_out'],
  cancel: ['queued', 'running'],
} as const;

/** Retries or cancels all runs that the filters match, in the background. */
export function BulkActions({ filters }: { filters: RunFilters }) {
  const client = useClient();
  const [operationId, setOperationId] = useState<string>();
  const start = async (action: 'retry' | 'cancel'): Promise<void> => {
    const status = [...changeable[action]].filter((each) => filters.status === undefined || each === filters.status);
    const { id } = await client.runOperations.start({ action, filter: { ...toRunFilter(filters), status } });
    setOperationId(id);
  };
  const offers = (action: 'retry' | 'cancel'): boolean =>
    filters.status === undefined || changeable[action].some((each) => each === filters.status);
  return (
    <>
      <div className="row">
        {offers('retry') && (
          <ConfirmedAction question={texts.runs.bulk.retryQuestion} onAct={() => start('retry')}>
            {texts.runs.bulk.retry}
          </ConfirmedAction>
        )}
        {offers('cancel') && (
          <ConfirmedAction question={texts.runs.bulk.cancelQuestion} onAct={() => start('cancel')}>
            {texts.runs.bulk.cancel}
          </ConfirmedAction>
        )}
      </div>
      {operationId !== undefined && <Progress operationId={operationId} />}
    </>
  );
}

const isOpen = (operation: shapes.RunOperationState | undefined): boolean => (operation?.completedAt ?? null) === null;

function Progress({ operationId }: { operationId: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const { data, refetch } = useQuery({
    queryKey: ['run-operation', operationId],
    queryFn: async () => client.runOperations.get(operationId),
    refetchInterval: ({ state }) => (isOpen(state.data) ? 1000 : false),
  });
  const hasEnded = data !== undefined && !isOpen(data);
  useEffect(() => {
    if (hasEnded) void queries.invalidateQueries({ queryKey: ['runs'] });
  }, [hasEnded, queries]);
  if (!data) return null;
  const { progress, status, error } = data;
  const stop = async (): Promise<void> => {
    await client.runOperations.cancel(operationId);
    await refetch();
  };
  return (
    <div className="notice row" role="status">
      <span>
        {texts.runs.bulk[data.action === 'retry' ? 'retried' : 'canceled']} {progress.done} / {progress.matched}
        {progress.failed > 0 && ` · ${texts.runs.bulk.refused} ${progress.failed}`} · {status.replaceAll('_', ' ')}
        {error && `: ${describeFault(new Error(error.message))}`}
      </span>
      {!hasEnded && <Action onAct={stop}>{texts.runs.bulk.stop}</Action>}
    </div>
  );
}
