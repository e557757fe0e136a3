import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/console';

/** Reads what waits for the person: the newest questions of runs and actions of AI lensers with their number, and the moves of labels. */
export function useWaiting() {
  const client = useClient();
  return useQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: async () => {
      const [asked, proposed, actions] = await Promise.all([
        client.runs.listPendingApprovals({ limit: 5 }),
        client.labelProposals.list({ limit: 100 }),
        client.agents.listPendingApprovals({ limit: 5 }),
      ]);
      const proposals = proposed.items.filter(({ canDecide }) => canDecide);
      const count = (asked.meta.total ?? 0) + (actions.meta.total ?? 0) + proposals.length;
      return { approvals: asked.items, actions: actions.items, proposals, count };
    },
    refetchInterval: 30_000,
  });
}
