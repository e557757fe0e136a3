import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { Json } from '../ui/json';

/** The approvals that a run waits for. */
export function Approvals({ runId, version }: { runId: string; version: number }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['run', runId, 'approvals', version],
    queryFn: async () => (await client.runs.listApprovals(runId)).items,
    placeholderData: keepPreviousData,
  });
  const pending = (query.data ?? []).filter(({ status }) => status === 'pending');
  const answer = async (id: string, decision: 'approve' | 'reject'): Promise<void> => {
    await client.runs.answerApproval(runId, id, { decision });
    await query.refetch();
  };
  return pending.map(({ id, message, data }) => (
    <section className="panel" key={id}>
      <h2>{texts.runs.approvals}</h2>
      <p>{message}</p>
      {data !== null && <Json value={data} label={message} />}
      <div className="row">
        <Action className="primary" onAct={() => answer(id, 'approve')}>
          {texts.runs.approve}
        </Action>
        <Action className="danger" onAct={() => answer(id, 'reject')}>
          {texts.runs.reject}
        </Action>
      </div>
    </section>
  ));
}
