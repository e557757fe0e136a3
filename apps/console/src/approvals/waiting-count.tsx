import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/console';
import { texts } from '../texts';

/** The number of approvals that wait for the person, in the navigation. */
export function WaitingCount() {
  const client = useClient();
  const { data = 0 } = useQuery({
    queryKey: ['approvals', 'count'],
    queryFn: async () => {
      const [asked, proposed] = await Promise.all([
        client.runs.listPendingApprovals({ limit: 1 }),
        client.labelProposals.list({ limit: 100 }),
      ]);
      return (asked.meta.total ?? 0) + proposed.items.filter(({ canDecide }) => canDecide).length;
    },
    refetchInterval: 30_000,
  });
  if (data === 0) return null;
  return (
    <span className="count" aria-label={texts.approvals.waiting(data)} role="img">
      {data}
    </span>
  );
}
