import { Link } from '@tanstack/react-router';
import { Scorers } from '../evaluation/scorers';
import { useClient } from '../session/console';
import { experimentsTexts } from '../view-texts/experiments';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { DataTable } from '../ui/data-table';

const refreshMs = 5000;

/** The experiments of the person, the newest first. */
export default function ExperimentListView() {
  const client = useClient();
  const experiments = usePaged(['experiments'], (cursor) => client.experiments.list({ limit: 50, cursor }), refreshMs);
  return (
    <Page
      title={experimentsTexts.title}
      actions={
        <Link className="button" to="/datasets">
          {experimentsTexts.start}
        </Link>
      }
    >
      <section className="panel scroll">
        <PagedList paged={experiments} none={experimentsTexts.none}>
          {(items) => (
            <DataTable
              items={items}
              getKey={({ id }) => id}
              columns={[
                {
                  name: experimentsTexts.columns.name,
                  show: ({ id, name, cells, cellsDone }) => (
                    <>
                      <Link to="/experiments/$experimentId" params={{ experimentId: id }}>
                        {name}
                      </Link>
                      <div className="quiet">{experimentsTexts.answers(cellsDone, cells)}</div>
                    </>
                  ),
                },
                {
                  name: experimentsTexts.columns.result,
                  show: ({ status, gateResult }) => <Status value={gateResult ?? status} />,
                },
                {
                  name: experimentsTexts.columns.ended,
                  show: ({ createdAt, completedAt }) => <Time at={completedAt ?? createdAt} />,
                },
              ]}
            />
          )}
        </PagedList>
        {experiments.items.length === 0 && !experiments.isLoading && (
          <p className="quiet">{experimentsTexts.noneHint}</p>
        )}
      </section>
      <Scorers />
    </Page>
  );
}
