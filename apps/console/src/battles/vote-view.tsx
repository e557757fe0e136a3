import { useQuery } from '@tanstack/react-query';
import { NotFoundError } from '@lensforge/sdk';
import type { shapes } from '@lensforge/sdk';
import { Link } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { Ballot } from './ballot';

/** The next battle that waits for the vote of the person: answers without their authors. */
export default function VoteView() {
  const client = useClient();
  const next = useQuery({
    queryKey: ['vote'],
    queryFn: async (): Promise<shapes.Battle | null> =>
      client.battles.getNext().then(
        (battle) => battle,
        (error: unknown) => {
          if (error instanceof NotFoundError) return null;
          throw error;
        },
      ),
    refetchOnWindowFocus: false,
  });
  return (
    <Page title={texts.battles.vote} above={<Link to="/battles">{texts.battles.title}</Link>}>
      <Loaded query={next}>
        {(battle) =>
          battle?.ballot ? (
            <Ballot key={battle.id} battle={battle} ballot={battle.ballot} onNext={() => void next.refetch()} />
          ) : (
            <Empty title={texts.battles.nothingToVote}>
              <p>
                <Link to="/battles" search={{ tab: 'leaderboards' }}>
                  {texts.battles.tabs.leaderboards}
                </Link>
              </p>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}
