import { useMutation, useQuery } from '@tanstack/react-query';
import { NotFoundError } from '@lensforge/sdk';
import type { shapes } from '@lensforge/sdk';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { messageOf } from '../ui/fault';
import { Page } from '../ui/page';
import { Empty, Loaded } from '../ui/states';

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
            <Empty title={texts.battles.nothingToVote} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface Props {
  battle: shapes.Battle;
  ballot: readonly shapes.BallotEntry[];
  onNext: () => void;
}

export function Ballot({ battle, ballot, onNext }: Props) {
  const client = useClient();
  const vote = useMutation({
    mutationFn: async (winner: string | undefined) =>
      client.battles.castVote(battle.id, winner === undefined ? { tie: true } : { winner }),
  });
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent): void => {
      if (!/^\d$/.test(key) || (target instanceof Element && target.matches('input, textarea, select'))) return;
      const entry = ballot[Number(key) - 1];
      if (vote.isIdle && (key === '0' || entry)) vote.mutate(entry?.contenderId);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return (
    <>
      <h2>{battle.title}</h2>
      <p>{battle.taskPrompt}</p>
      <p className="quiet">{texts.battles.blind}</p>
      <div className="ballot">
        {ballot.map(({ contenderId, contentText }, at) => (
          <article className="panel" key={contenderId}>
            <h3>
              {texts.battles.answer} {at + 1}
            </h3>
            <p className="answer">{contentText}</p>
            <button
              type="button"
              className="primary"
              disabled={vote.isPending || vote.isSuccess}
              onClick={() => vote.mutate(contenderId)}
            >
              {texts.battles.choose}
            </button>
          </article>
        ))}
      </div>
      <div className="row">
        <button type="button" disabled={vote.isPending || vote.isSuccess} onClick={() => vote.mutate(undefined)}>
          {texts.battles.tie}
        </button>
        {vote.isSuccess && (
          <>
            <span role="status">{texts.battles.thanks}</span>
            <button type="button" onClick={onNext}>
              {texts.battles.next}
            </button>
          </>
        )}
        {vote.isError && (
          <span role="alert" className="notice bad">
            {messageOf(vote.error)}
          </span>
        )}
      </div>
    </>
  );
}
