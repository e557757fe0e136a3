import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/console';
import { agentsTexts } from '../view-texts/agents';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Empty, Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { ActionApproval, describeAction } from './action-approval';

export function usePendingApprovals(aiLenserId: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['agent', aiLenserId, 'approvals', 'pending'],
    queryFn: async () => (await client.agents.listApprovals(aiLenserId, { status: 'pending', limit: 50 })).items,
    refetchInterval: 5000,
  });
}

/** The actions that wait for the owner, with what would be done, and those that were decided. */
export function Approvals({ aiLenserId }: { aiLenserId: string }) {
  const client = useClient();
  const pending = usePendingApprovals(aiLenserId);
  const past = usePaged(['agent', aiLenserId, 'approvals', 'all'], (cursor) =>
    client.agents.listApprovals(aiLenserId, { limit: 20, cursor }),
  );
  const reload = async (): Promise<void> => {
    await pending.refetch();
    past.retry();
  };
  return (
    <>
      <Loaded query={pending}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={agentsTexts.noApprovals} />
          ) : (
            items.map((approval) => <ActionApproval key={approval.id} approval={approval} onDecided={reload} />)
          )
        }
      </Loaded>
      <section className="panel scroll">
        <h2>{agentsTexts.decided}</h2>
        <PagedList
          paged={{ ...past, items: past.items.filter(({ status }) => status !== 'pending') }}
          none={agentsTexts.noneDecided}
        >
          {(items) => (
            <table className="table stacks">
              <tbody>
                {items.map((approval) => (
                  <tr key={approval.id}>
                    <td>
                      {describeAction(approval)}
                      <div className="quiet">{approval.reason}</div>
                    </td>
                    <td>
                      <Status value={approval.status} />{' '}
                      {approval.result !== null && <Status value={approval.result} />}
                    </td>
                    <td>
                      <Time at={approval.decidedAt ?? approval.expiresAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </PagedList>
      </section>
    </>
  );
}
