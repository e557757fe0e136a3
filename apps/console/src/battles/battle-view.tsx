import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useEffect } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { Form, fieldOf } from '../ui/form';
import { Page } from '../ui/page';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { nextStatuses } from './battle-types';
import { NewContender } from './new-contender';
import { Ballot } from './vote-view';

const route = getRouteApi('/battles/$battleId');

/** A battle: its task, contenders, ballot, judging and result, as it goes on. */
export default function BattleView() {
  const { battleId } = route.useParams();
  const { client, me } = useConsole();
  const battle = useQuery({ queryKey: ['battle', battleId], queryFn: async () => client.battles.get(battleId) });
  useEffect(() => {
    const controller = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const _event of client.battles.events(battleId, { signal: controller.signal })) void battle.refetch();
    };
    // Without the stream the view still shows what it read.
    follow().catch(() => undefined);
    return () => controller.abort();
  }, [client, battleId]);
  const isMine = battle.data?.creatorId === me.account?.id;
  return (
    <Page
      title={battle.data?.title ?? texts.battles.title}
      above={<Link to="/battles">{texts.battles.title}</Link>}
      actions={battle.data && isMine && <Moves battle={battle.data} onMoved={() => void battle.refetch()} />}
    >
      <Loaded query={battle}>
        {(found) => (
          <>
            <p>
              <Status value={found.status} /> {found.judgingMode.replaceAll('_', ' ')} · {found.votes}{' '}
              {texts.battles.votes}
            </p>
            {found.warnings.map((warning) => (
              <p key={warning} className="notice">
                {warning}
              </p>
            ))}
            <section className="panel">
              <h2>{texts.battles.task}</h2>
              <p className="answer">{found.taskPrompt}</p>
            </section>
            {found.ballot && found.status === 'voting' ? (
              <Ballot battle={found} ballot={found.ballot} onNext={() => void battle.refetch()} />
            ) : (
              <Contenders battle={found} />
            )}
            {['draft', 'open'].includes(found.status) && (
              <section className="panel">
                <NewContender battle={found} onEntered={() => void battle.refetch()} />
                <OwnAnswer battle={found} onSubmitted={() => void battle.refetch()} />
              </section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** A field for the answer of the person, who takes part and has not answered. */
function OwnAnswer({ battle, onSubmitted }: { battle: shapes.Battle; onSubmitted: () => void }) {
  const { client, me } = useConsole();
  const own = battle.contenders.find(
    ({ contenderType, contenderRefId, submitted }) =>
      contenderType === 'human' && contenderRefId === me.account?.id && submitted !== true,
  );
  if (!own || battle.status !== 'open') return null;
  const submit = async (values: FormData): Promise<void> => {
    await client.battles.submitEntry(battle.id, { contenderId: own.id, contentText: fieldOf(values, 'text') });
    onSubmitted();
  };
  return (
    <Form onSend={submit} action={texts.battles.submit}>
      <label>
        {texts.battles.answer}
        <textarea name="text" required />
      </label>
    </Form>
  );
}

function Moves({ battle, onMoved }: { battle: shapes.Battle; onMoved: () => void }) {
  const { client } = useConsole();
  return nextStatuses[battle.status].map((status) => (
    <Action
      key={status}
      onAct={async () => {
        if (status === 'executing') await client.battles.execute(battle.id, {});
        else await client.battles.setStatus(battle.id, { status, confirm: true });
        onMoved();
      }}
    >
      {status}
    </Action>
  ));
}

function Contenders({ battle }: { battle: shapes.Battle }) {
  const { contenders, winner, voteAggregates, judging } = battle;
  const votesOf = (id: string): number | undefined =>
    voteAggregates.find(({ contenderId }) => contenderId === id)?.voteCount;
  return (
    <section className="panel scroll">
      <h2>{texts.battles.contenders}</h2>
      <table className="table">
        <tbody>
          {contenders.map(({ id, displayName, contenderType, rank, answerError }) => (
            <tr key={id}>
              <td>{rank}</td>
              <td>
                {displayName} {id === winner && <Status value={texts.battles.winner.toLowerCase()} />}
                <div className="quiet">
                  {contenderType} {answerError}
                </div>
              </td>
              <td className="number">{votesOf(id)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {judging && (
        <p>
          {texts.battles.judging}: <Status value={judging.status ?? 'pending'} /> {judging.judged} / {judging.total}
        </p>
      )}
    </section>
  );
}
