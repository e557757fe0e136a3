import { useQuery } from '@tanstack/react-query';
import { NotFoundError, type shapes } from '@lensforge/sdk';
import { Link } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { battlesTexts } from '../view-texts/battles';
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
    <Page title={battlesTexts.vote} above={<Link to="/battles">{battlesTexts.title}</Link>}>
      <Loaded query={next}>
        {(battle) =>
          battle?.ballot ? (
            <Ballot key={battle.id} battle={battle} ballot={battle.ballot} onNext={() => void next.refetch()} />
          ) : (
            <Empty title={battlesTexts.nothingToVote}>
              <p>
                <Link to="/battles" search={{ tab: 'leaderboards' }}>
                  {battlesTexts.tabs.leaderboards}
                </Link>
              </p>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}
