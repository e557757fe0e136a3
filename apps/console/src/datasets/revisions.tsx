import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { diffLines } from '../runs/diff-lines';
import { useClient } from '../session/console';
import { datasetsTexts } from '../view-texts/datasets';
import { formatJson } from '../ui/format-json';
import { LineDiff } from '../ui/line-diff';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Loaded } from '../ui/states';
import { Time } from '../ui/time';
import { DataTable } from '../ui/data-table';
import { texts } from '../texts';

/** The revisions of a dataset, the newest first, each with what it changed. */
export function Revisions({ dataset: { id, revision } }: { dataset: shapes.Dataset }) {
  const client = useClient();
  const [open, setOpen] = useState<number>();
  const revisions = usePaged(['dataset', id, 'revisions', revision], (cursor) =>
    client.datasets.listRevisions(id, { limit: 20, cursor }),
  );
  return (
    <section className="panel scroll">
      <h2>{datasetsTexts.revisions}</h2>
      <PagedList paged={revisions} none={datasetsTexts.noRevisions}>
        {(items) => (
          <DataTable
            items={items}
            getKey={({ revision: number }) => String(number)}
            columns={[
              {
                name: datasetsTexts.revisionColumns.revision,
                show: ({ revision: number, message }) => (
                  <>
                    {datasetsTexts.revision(number)}
                    <div className="quiet">{message}</div>
                  </>
                ),
              },
              {
                name: datasetsTexts.revisionColumns.changes,
                show: ({ added, changed, removed }) => datasetsTexts.imported(added, changed, removed),
              },
              { name: datasetsTexts.revisionColumns.saved, show: ({ createdAt }) => <Time at={createdAt} /> },
              {
                name: texts.actions,
                show: ({ revision: number }) => (
                  <button type="button" onClick={() => setOpen(open === number ? undefined : number)}>
                    {datasetsTexts.show}
                  </button>
                ),
              },
            ]}
          />
        )}
      </PagedList>
      {open !== undefined && <Difference datasetId={id} to={open} />}
    </section>
  );
}

const shownCases = 50;

function Difference({ datasetId, to }: { datasetId: string; to: number }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['dataset', datasetId, 'difference', to],
    queryFn: async () => (await client.datasets.diffRevisions(datasetId, { to, limit: shownCases })).items,
  });
  return (
    <Loaded query={query}>
      {(found) => (
        <ul className="plain" aria-label={datasetsTexts.show}>
          {found.map(({ key, change, before, after }) => (
            <li key={key}>
              <h3>
                {key} <span className="quiet">{datasetsTexts.changes[change]}</span>
              </h3>
              <LineDiff lines={diffLines(describe(before), describe(after))} label={key} />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}

/** A case of a revision as text, without the number of the revision that has changed it last. */
const describe = (found: unknown): string =>
  found === null
    ? ''
    : formatJson(Object.fromEntries(Object.entries(found as shapes.DatasetCase).filter(([name]) => name !== 'since')));
