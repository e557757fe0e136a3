import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { battlesTexts } from '../view-texts/battles';
import { Chips } from '../ui/chips';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { BattleTable } from './battle-table';
import { battleStatuses, battleTypes, inWords } from './battle-types';
import { History } from './history';
import { Leaderboard, pickSource } from './leaderboard';

const route = getRouteApi('/battles');
const tabs = ['battles', 'leaderboards', 'history'] as const;

/** Battles with filters, the leaderboards, and the history of a lenser. */
export default function BattleListView() {
  const search = route.useSearch();
  const tab = tabs.find((each) => each === search.tab) ?? 'battles';
  const type = battleTypes.find((each) => each === search.type) ?? 'ai_vs_ai';
  return (
    <Page
      title={battlesTexts.title}
      actions={
        <>
          <Link className="button" to="/battles/vote">
            {battlesTexts.vote}
          </Link>
          <Link className="button" to="/battles/new">
            {battlesTexts.create}
          </Link>
        </>
      }
    >
      <nav className="tabs" aria-label={battlesTexts.title}>
        {tabs.map((name) => (
          <Link key={name} to="/battles" search={{ tab: name }} aria-current={name === tab ? 'page' : undefined}>
            {battlesTexts.tabs[name]}
          </Link>
        ))}
      </nav>
      {tab === 'battles' && <Battles />}
      {tab === 'leaderboards' && (
        <Leaderboard type={type} source={pickSource(search.source)} isStyled={search.style === true} />
      )}
      {tab === 'history' && <History lenserId={search.lenser} />}
    </Page>
  );
}

function Battles() {
  const { client, me } = useConsole();
  const navigate = useNavigate();
  const { status: wanted, type, mine } = route.useSearch();
  const status = battleStatuses.find((each) => each === wanted);
  const battleType = battleTypes.find((each) => each === type);
  const creatorId = mine === true ? me.account?.id : undefined;
  const battles = usePaged(['battles', { status, battleType, creatorId }], (cursor) =>
    client.battles.list({ limit: 50, cursor, status, battleType, creatorId }),
  );
  const filter = (next: { status?: string | undefined; type?: string | undefined; mine?: true | undefined }): void =>
    void navigate({ to: '/battles', search: { status, type: battleType, mine: mine === true || undefined, ...next } });
  return (
    <>
      <div className="chips">
        <Chips
          label={texts.status}
          all={battlesTexts.all}
          options={battleStatuses}
          value={status}
          onChange={(value) => filter({ status: value })}
        />
        <select
          aria-label={battlesTexts.type}
          value={battleType ?? ''}
          onChange={({ currentTarget }) => filter({ type: currentTarget.value || undefined })}
        >
          <option value="">{battlesTexts.everyType}</option>
          {battleTypes.map((each) => (
            <option key={each} value={each}>
              {inWords(each)}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="chip"
          aria-pressed={mine === true}
          onClick={() => filter({ mine: mine === true ? undefined : true })}
        >
          {battlesTexts.mine}
        </button>
      </div>
      <section className="panel scroll">
        <PagedList paged={battles} none={battlesTexts.none}>
          {(items) => <BattleTable items={items} />}
        </PagedList>
      </section>
    </>
  );
}
