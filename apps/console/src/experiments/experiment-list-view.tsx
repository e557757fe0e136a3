import { Link } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { experimentsTexts } from '../view-texts/experiments';
import { ColumnHeads } from '../ui/column-heads';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';

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
            <table className="table stacks">
              <ColumnHeads names={experimentsTexts.columns} />
              <tbody>
                {items.map(({ id, name, status, cells, cellsDone, gateResult, createdAt, completedAt }) => (
                  <tr key={id}>
                    <td>
                      <Link to="/experiments/$experimentId" params={{ experimentId: id }}>
                        {name}
                      </Link>
                      <div className="quiet">{experimentsTexts.answers(cellsDone, cells)}</div>
                    </td>
                    <td>
                      <Status value={gateResult ?? status} />
                    </td>
                    <td>
                      <Time at={completedAt ?? createdAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </PagedList>
        {experiments.items.length === 0 && !experiments.isLoading && (
          <p className="quiet">{experimentsTexts.noneHint}</p>
        )}
      </section>
    </Page>
  );
}
