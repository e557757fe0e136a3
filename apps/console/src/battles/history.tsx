import { Link } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { texts } from '../texts';
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
          {texts.battles.historyOf}{' '}
          <Link to="/battles" search={{ tab: 'history' }}>
            {texts.battles.ownHistory}
          </Link>
        </p>
      )}
      <PagedList paged={battles} none={texts.battles.noHistory}>
        {(items) => <BattleTable items={items} />}
      </PagedList>
    </section>
  );
}
