import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';

/** The communities of the person; none while they are read. */
export function useMemberships(): readonly shapes.MembershipSummary[] {
  const client = useClient();
  const { data } = useQuery({ queryKey: ['me'], queryFn: async () => client.me.get() });
  return data?.memberships ?? [];
}
