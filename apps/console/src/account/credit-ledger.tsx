import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { accountTexts } from '../view-texts/account';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Loaded } from '../ui/states';
import { Time } from '../ui/time';
import { Forecast } from './forecast';
import { Sponsorships } from './sponsorships';
import { DataTable } from '../ui/data-table';

/** The balance of the account and the entries of its ledger, the newest first. */
export function CreditLedger() {
  const client = useClient();
  const balance = useQuery({ queryKey: ['credits'], queryFn: async () => client.credits.get({ limit: 1 }) });
  const ledger = usePaged(['credits', 'entries'], async (cursor) => {
    const { entries, nextCursor } = await client.credits.get({ limit: 50, cursor });
    return { items: entries, meta: { nextCursor } };
  });
  return (
    <>
      <Loaded query={balance}>
        {({ available, held }) => (
          <div className="figures">
            <div className="figure">
              {accountTexts.available} <strong>{available.toLocaleString('en')}</strong>
            </div>
            <div className="figure">
              {accountTexts.held} <strong>{held.toLocaleString('en')}</strong>
            </div>
          </div>
        )}
      </Loaded>
      <Forecast />
      <Sponsorships />
      <h2>{accountTexts.entries}</h2>
      <PagedList paged={ledger} none={accountTexts.noEntries}>
        {(items) => (
          <DataTable
            items={items}
            getKey={({ id }) => id}
            columns={[
              { name: accountTexts.entryColumns.kind, show: ({ kind }) => kind },
              { name: accountTexts.entryColumns.credits, isNumber: true, show: ({ amount }) => amount },
              {
                name: accountTexts.entryColumns.about,
                show: ({ runId, note }) =>
                  runId ? (
                    <Link to="/runs/$runId" params={{ runId }}>
                      {runId.slice(-12)}
                    </Link>
                  ) : (
                    note
                  ),
              },
              { name: accountTexts.entryColumns.at, show: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        )}
      </PagedList>
    </>
  );
}
