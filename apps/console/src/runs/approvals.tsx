import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApprovalAnswer } from '../approvals/approval-answer';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Json } from '../ui/json';

/** The approvals that a run waits for. */
export function Approvals({ runId, version }: { runId: string; version: number }) {
  const client = useClient();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ['run', runId, 'approvals', version],
    queryFn: async () => (await client.runs.listApprovals(runId)).items,
    placeholderData: keepPreviousData,
  });
  const pending = (query.data ?? []).filter(({ status }) => status === 'pending');
  const reload = async (): Promise<void> => {
    await query.refetch();
    await queries.invalidateQueries({ queryKey: ['approvals'] });
  };
  return pending.map(({ id, message, data }) => (
    <section className="panel" key={id}>
      <h2>{texts.runs.approvals}</h2>
      <p>{message}</p>
      {data !== null && <Json value={data} label={message} />}
      <ApprovalAnswer runId={runId} id={id} onAnswered={reload} />
    </section>
  ));
}
