import { Link } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { battlesTexts } from '../view-texts/battles';
import { usePaged } from '../ui/paged';
import { BattleTable } from './battle-table';
import { PagedList } from '../ui/paged-list';

/** The ended battles that a lenser created or took part in; those of the person without one. */
export function History({ lenserId }: { lenserId?: string | undefined }) {
  const client = useClient();
  const battles = usePaged(['battles', 'history', lenserId], (cursor) =>
    client.battles.listHistory({ limit: 50, cursor, lenserId }),
  );
  return (
    <section className="panel scroll">
      {lenserId !== undefined && (
        <p>
          {battlesTexts.historyOf}{' '}
          <Link to="/battles" search={{ tab: 'history' }}>
            {battlesTexts.ownHistory}
          </Link>
        </p>
      )}
      <PagedList paged={battles} none={battlesTexts.noHistory}>
        {(items) => <BattleTable items={items} />}
      </PagedList>
    </section>
  );
}
