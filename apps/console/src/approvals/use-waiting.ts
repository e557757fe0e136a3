import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/console';

/** Reads what waits for the person: the newest questions of runs with their number, and the moves of labels. */
export function useWaiting() {
  const client = useClient();
  return useQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: async () => {
      const [asked, proposed] = await Promise.all([
        client.runs.listPendingApprovals({ limit: 5 }),
        client.labelProposals.list({ limit: 100 }),
      ]);
      const proposals = proposed.items.filter(({ canDecide }) => canDecide);
      return { approvals: asked.items, proposals, count: (asked.meta.total ?? 0) + proposals.length };
    },
    refetchInterval: 30_000,
  });
}
