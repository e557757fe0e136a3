import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { BattleEvent, shapes } from '@lensforge/sdk';
import { useEffect, useEffectEvent, useState } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { battlesTexts } from '../view-texts/battles';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { Page } from '../ui/page';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { BattleForm } from './battle-form';
import { inWords, isEnded, nextStatuses } from './battle-types';
import { Ballot } from './ballot';
import { Contenders } from './contenders';
import { NewContender } from './new-contender';
import { Result } from './result';
import { TextField } from '../ui/field';

const route = getRouteApi('/battles/$battleId');

/** A battle: its task, contenders, ballot, judging and result, as it goes on. */
export default function BattleView() {
  const { battleId } = route.useParams();
  const { client, me } = useConsole();
  const battle = useQuery({ queryKey: ['battle', battleId], queryFn: async () => client.battles.get(battleId) });
  const reload = (): void => void battle.refetch();
  const events = useBattleEvents(battleId, reload);
  const isMine = battle.data?.creatorId === me.account?.id;
  return (
    <Page
      title={battle.data?.title ?? battlesTexts.title}
      above={<Link to="/battles">{battlesTexts.title}</Link>}
      actions={battle.data && isMine && <Moves battle={battle.data} onMoved={reload} />}
    >
      <Loaded query={battle}>
        {(found) => (
          <>
            <Facts battle={found} />
            {found.warnings.map((warning) => (
              <p key={warning} className="notice" role="status">
                {warning}
              </p>
            ))}
            {found.judging && !isEnded(found.status) && <Judging judging={found.judging} />}
            {isEnded(found.status) && <Result battle={found} />}
            {found.ballot && found.status === 'voting' ? (
              <Ballot battle={found} ballot={found.ballot} onNext={reload} />
            ) : (
              <section className="panel">
                <h2>{battlesTexts.task}</h2>
                <p className="answer">{found.taskPrompt}</p>
              </section>
            )}
            {!isEnded(found.status) && !found.ballot && (
              <Contenders battle={found} isMine={isMine} onChanged={reload} />
            )}
            {['draft', 'open'].includes(found.status) && (
              <section className="panel">
                <h2>{battlesTexts.enterTitle}</h2>
                {found.contenderCount < found.maxContenders ? (
                  <NewContender battle={found} onEntered={reload} />
                ) : (
                  <p className="quiet">{battlesTexts.full}</p>
                )}
                <OwnAnswer battle={found} onSubmitted={reload} />
              </section>
            )}
            {found.status === 'draft' && isMine && (
              <details className="panel">
                <summary>{battlesTexts.change}</summary>
                <BattleForm
                  battle={found}
                  action={texts.save}

                  onSend={async (request) => {
                    await client.battles.update(battleId, request);
                    reload();
                  }}
                />
              </details>
            )}
            <Talk battleId={battleId} status={found.status} />
          </>
        )}
      </Loaded>
      <Events events={events} />
    </Page>
  );
}

function useBattleEvents(battleId: string, onEvent: () => void): readonly BattleEvent[] {
  const { client } = useConsole();
  const [events, setEvents] = useState<readonly BattleEvent[]>([]);
  const add = useEffectEvent((event: BattleEvent) => {
    setEvents((before) => [...before, event]);
    onEvent();
  });
  useEffect(() => {
    const controller = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const event of client.battles.events(battleId, { signal: controller.signal })) add(event);
    };
    setEvents([]);
    // Without the stream the view still shows what it read.
    follow().catch(() => undefined);
    return () => controller.abort();
  }, [client, battleId]);
  return events;
}

const Facts = ({ battle }: { battle: shapes.Battle }) => (
  <p>
    <Status value={battle.status} /> {inWords(battle.battleType)} · {battlesTexts.modes[battle.judgingMode]} ·{' '}
    {battle.votes} {battlesTexts.votes}
    {battle.budgetCredits !== null && ` · ${battlesTexts.budget}: ${battle.budgetCredits}`}
    {battle.aiJudgeModelKey !== null && ` · ${battlesTexts.judge}: ${battle.aiJudgeModelKey}`}
  </p>
);

const Judging = ({ judging }: { judging: shapes.Judging }) => (
  <section className="panel">
    <h2>{battlesTexts.judging}</h2>
    <p>
      <Status value={judging.status ?? 'pending'} /> {judging.judged} / {judging.total}{' '}
      {judging.judge !== null && <span className="quiet">{judging.judge}</span>}{' '}
      {judging.runId !== null && (
        <Link to="/runs/$runId" params={{ runId: judging.runId }}>
          {battlesTexts.judgingRun}
        </Link>
      )}
    </p>
    <progress value={judging.judged} max={Math.max(judging.total, 1)} aria-label={battlesTexts.judging} />
  </section>
);

/** A field for the answer of the person, who takes part. A later answer replaces an earlier one. */
function OwnAnswer({ battle, onSubmitted }: { battle: shapes.Battle; onSubmitted: () => void }) {
  const { client, me } = useConsole();
  const own = battle.contenders.find(
    ({ contenderType, contenderRefId }) => contenderType === 'human' && contenderRefId === me.account?.id,
  );
  if (!own || battle.status !== 'open') return null;
  const submit = async (values: FormData): Promise<void> => {
    await client.battles.submitEntry(battle.id, { contenderId: own.id, contentText: readField(values, 'text') });
    onSubmitted();
  };
  const written = battle.submissions.find(({ contenderId }) => contenderId === own.id)?.contentText;
  return (
    <Form onSend={submit} action={own.submitted === true ? battlesTexts.resubmit : battlesTexts.submit}>
      <TextField label={battlesTexts.ownAnswer} name="text" required rows={5} defaultValue={written} />
    </Form>
  );
}

/** The moves of the creator, which cannot be taken back. */
function Moves({ battle, onMoved }: { battle: shapes.Battle; onMoved: () => void }) {
  const { client } = useConsole();
  const move = async (status: shapes.BattleStatusRequest['status']): Promise<void> => {
    if (status === 'executing') await client.battles.execute(battle.id, {});
    else await client.battles.setStatus(battle.id, { status, confirm: true });
    onMoved();
  };
  return nextStatuses[battle.status].map((status) => (
    <ConfirmedAction key={status} question={battlesTexts.confirm[status]} onAct={() => move(status)}>
      {battlesTexts.moves[status]}
    </ConfirmedAction>
  ));
}

/** The threads about a battle: others may read them while it is secret, so contenders begin none before its end. */
const Talk = ({ battleId, status }: { battleId: string; status: shapes.Battle['status'] }) =>
  isEnded(status) && (
    <p>
      <Link to="/threads" search={{ about: 'battle', id: battleId }}>
        {battlesTexts.threads}
      </Link>
    </p>
  );

const Events = ({ events }: { events: readonly BattleEvent[] }) =>
  events.length > 0 && (
    <details className="panel">
      <summary>
        {battlesTexts.events} ({events.length})
      </summary>
      <ol className="event-list">
        {events.map(({ sequence, eventType, payload, occurredAt }) => (
          <li key={sequence}>
            <strong>{eventType}</strong>{' '}
            {Object.entries(payload)
              .map(([name, value]) => `${name}: ${String(value)}`)
              .join(', ')}{' '}
            <Time at={occurredAt} />
          </li>
        ))}
      </ol>
    </details>
  );
