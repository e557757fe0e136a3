import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Form, fieldOf } from '../ui/form';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import type { BattleType } from './battle-types';
import { battleTypes, judgingModes } from './battle-types';

/** Battles, a form for a new one, and the leaderboards. */
export default function BattleListView() {
  const client = useClient();
  const navigate = useNavigate();
  const battles = usePaged(['battles'], (cursor) => client.battles.list({ limit: 50, cursor }));
  const create = async (values: FormData): Promise<void> => {
    const { id } = await client.battles.create({
      title: fieldOf(values, 'title'),
      taskPrompt: fieldOf(values, 'task'),
      battleType: battleTypes.find((each) => each === fieldOf(values, 'type')),
      judgingMode: judgingModes.find((each) => each === fieldOf(values, 'mode')),
    });
    await navigate({ to: '/battles/$battleId', params: { battleId: id } });
  };
  return (
    <Page
      title={texts.battles.title}
      actions={
        <Link className="button" to="/battles/vote">
          {texts.battles.vote}
        </Link>
      }
    >
      <section className="panel scroll">
        <PagedList paged={battles} none={texts.battles.none}>
          {(items) => (
            <table className="table">
              <tbody>
                {items.map(({ id, title, battleType, status, contenderCount, createdAt }) => (
                  <tr key={id}>
                    <td>
                      <Link to="/battles/$battleId" params={{ battleId: id }}>
                        {title}
                      </Link>
                      <div className="quiet">{battleType.replaceAll('_', ' ')}</div>
                    </td>
                    <td>
                      {contenderCount} {texts.battles.contenders}
                    </td>
                    <td>
                      <Status value={status} />
                    </td>
                    <td>
                      <Time at={createdAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </PagedList>
      </section>
      <div className="columns">
        <section className="panel">
          <h2>{texts.battles.create}</h2>
          <Form onSend={create} action={texts.create}>
            <label>
              {texts.name}
              <input name="title" required />
            </label>
            <label>
              {texts.battles.task}
              <textarea name="task" required />
            </label>
            <label>
              {texts.battles.type}
              <select name="type">
                {battleTypes.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </label>
            <label>
              {texts.battles.judgingMode}
              <select name="mode">
                {judgingModes.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </label>
          </Form>
        </section>
        <Leaderboard />
      </div>
    </Page>
  );
}

const decimal = (value: number): string => value.toFixed(2);

function Leaderboard() {
  const client = useClient();
  const [type, setType] = useState<BattleType>('ai_vs_ai');
  const { data: entries = [] } = useQuery({
    queryKey: ['leaderboard', type],
    queryFn: async () => (await client.leaderboards.list(type, { source: 'all', limit: 50 })).items,
  });
  return (
    <section className="panel scroll">
      <h2>{texts.battles.leaderboard}</h2>
      <select
        aria-label={texts.battles.type}
        value={type}
        onChange={(event) => setType(battleTypes.find((each) => each === event.currentTarget.value) ?? type)}
      >
        {battleTypes.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{texts.battles.rank}</th>
            <th scope="col">{texts.name}</th>
            <th scope="col" className="number">
              {texts.battles.strength}
            </th>
            <th scope="col" className="number">
              {texts.battles.interval}
            </th>
            <th scope="col" className="number">
              {texts.battles.votes}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ contender, rank, displayName, strength, interval, votes }) => (
            <tr key={contender}>
              <td>{rank}</td>
              <td>{displayName}</td>
              <td className="number">{decimal(strength)}</td>
              <td className="number">
                {decimal(interval.low)} – {decimal(interval.high)}
              </td>
              <td className="number">{votes}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
