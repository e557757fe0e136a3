import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { datasetsTexts } from '../view-texts/datasets';
import { Form, readField } from '../ui/form';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';
import { useSettled } from '../ui/use-settled';
import { DataTable } from '../ui/data-table';
import { Field } from '../ui/field';

const settleMs = 300;

/** The datasets of the person, the newest first. */
export default function DatasetListView() {
  const client = useClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const q = useSettled(typed.trim(), settleMs) || undefined;
  const datasets = usePaged(['datasets', { q }], (cursor) => client.datasets.list({ limit: 50, cursor, q }));
  const create = async (fields: FormData): Promise<void> => {
    const request = { name: readField(fields, 'name'), description: readField(fields, 'description') };
    const { id } = await client.datasets.create(request);
    await navigate({ to: '/datasets/$datasetId', params: { datasetId: id } });
  };
  return (
    <Page title={datasetsTexts.title}>
      <section className="panel scroll">
        <input
          type="search"
          aria-label={texts.name}
          placeholder={texts.name}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <PagedList paged={datasets} none={datasetsTexts.none}>
          {(items) => (
            <DataTable
              items={items}
              getKey={({ id }) => id}
              columns={[
                {
                  name: datasetsTexts.columns.name,
                  show: ({ id, name, description }) => (
                    <>
                      <Link to="/datasets/$datasetId" params={{ datasetId: id }}>
                        {name}
                      </Link>
                      <div className="quiet">{description}</div>
                    </>
                  ),
                },
                { name: datasetsTexts.columns.cases, show: ({ cases }) => datasetsTexts.cases(cases) },
                { name: datasetsTexts.columns.revision, show: ({ revision }) => datasetsTexts.revision(revision) },
                { name: datasetsTexts.columns.changed, show: ({ updatedAt }) => <Time at={updatedAt} /> },
              ]}
            />
          )}
        </PagedList>
        {datasets.items.length === 0 && q === undefined && !datasets.isLoading && (
          <p className="quiet">{datasetsTexts.noneHint}</p>
        )}
      </section>
      <section className="panel">
        <h2>{datasetsTexts.newDataset}</h2>
        <Form onSend={create} action={texts.create}>
          <Field label={texts.name} name="name" required maxLength={200} />
          <Field label={datasetsTexts.description} name="description" maxLength={2000} />
        </Form>
      </section>
    </Page>
  );
}
