import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../session/console';
import { threadsTexts } from '../view-texts/threads';
import { Action } from '../ui/action';
import { Time } from '../ui/time';

/** The accounts that may read the thread but not write in it. */
export function Mutes({ threadId }: { threadId: string }) {
  const { client } = useConsole();
  const mutes = useQuery({
    queryKey: ['thread', threadId, 'mutes'],
    queryFn: async () => (await client.threads.listMutes(threadId, { limit: 100 })).items,
    refetchInterval: 10_000,
  });
  const end = async (accountId: string): Promise<void> => {
    await client.threads.unmuteMember(threadId, accountId);
    await mutes.refetch();
  };
  if (!mutes.data || mutes.data.length === 0) return null;
  return (
    <section className="panel">
      <h2>{threadsTexts.muted}</h2>
      <ul>
        {mutes.data.map(({ account, createdAt }) => (
          <li key={account.id} className="row">
            @{account.handle} <Time at={createdAt} />
            <Action onAct={() => end(account.id)}>{threadsTexts.unmute}</Action>
          </li>
        ))}
      </ul>
    </section>
  );
}
