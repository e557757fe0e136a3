import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { datasetsTexts } from '../view-texts/datasets';
import { ColumnHeads } from '../ui/column-heads';
import { Form, readField } from '../ui/form';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';
import { useSettled } from '../ui/use-settled';

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
            <table className="table stacks">
              <ColumnHeads names={datasetsTexts.columns} />
              <tbody>
                {items.map(({ id, name, description, cases, revision, updatedAt }) => (
                  <tr key={id}>
                    <td>
                      <Link to="/datasets/$datasetId" params={{ datasetId: id }}>
                        {name}
                      </Link>
                      <div className="quiet">{description}</div>
                    </td>
                    <td>{datasetsTexts.cases(cases)}</td>
                    <td>{datasetsTexts.revision(revision)}</td>
                    <td>
                      <Time at={updatedAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </PagedList>
        {datasets.items.length === 0 && q === undefined && !datasets.isLoading && (
          <p className="quiet">{datasetsTexts.noneHint}</p>
        )}
      </section>
      <section className="panel">
        <h2>{datasetsTexts.newDataset}</h2>
        <Form onSend={create} action={texts.create}>
          <label>
            {texts.name}
            <input name="name" required maxLength={200} />
          </label>
          <label>
            {datasetsTexts.description}
            <input name="description" maxLength={2000} />
          </label>
        </Form>
      </section>
    </Page>
  );
}
