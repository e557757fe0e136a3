import { Link, useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { workflowsTexts } from '../view-texts/workflows';
import { Form, readField } from '../ui/form';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { parseJson } from './json-text';
import { DataTable } from '../ui/data-table';
import { Field } from '../ui/field';

/** The workflows that the person may see. */
export default function WorkflowListView() {
  const client = useClient();
  const navigate = useNavigate();
  const workflows = usePaged(['workflows'], (cursor) => client.workflows.list({ limit: 50, cursor }));
  const create = async (values: FormData): Promise<void> => {
    const { id } = await client.workflows.create({ title: readField(values, 'title') });
    await navigate({ to: '/workflows/$workflowId', params: { workflowId: id } });
  };
  const importFile = async (values: FormData): Promise<void> => {
    const file = values.get('file');
    const document = parseJson(file instanceof File ? await file.text() : '') as shapes.WorkflowFile;
    const { id } = await client.workflows.import(document);
    await navigate({ to: '/workflows/$workflowId', params: { workflowId: id } });
  };
  return (
    <Page title={workflowsTexts.title}>
      <section className="panel scroll">
        <PagedList paged={workflows} none={workflowsTexts.none}>
          {(items) => (
            <DataTable
              items={items}
              getKey={({ id }) => id}
              columns={[
                {
                  name: workflowsTexts.columns.name,
                  show: ({ id, title, description }) => (
                    <>
                      <Link to="/workflows/$workflowId" params={{ workflowId: id }}>
                        {title}
                      </Link>
                      <div className="quiet">{description}</div>
                    </>
                  ),
                },
                {
                  name: workflowsTexts.columns.version,
                  show: ({ headVersion }) => `${workflowsTexts.version} ${headVersion.number}`,
                },
                { name: workflowsTexts.columns.visibility, show: ({ visibility }) => <Status value={visibility} /> },
                { name: workflowsTexts.columns.changed, show: ({ updatedAt }) => <Time at={updatedAt} /> },
              ]}
            />
          )}
        </PagedList>
      </section>
      <section className="panel">
        <h2>{workflowsTexts.import}</h2>
        <Form onSend={importFile} action={workflowsTexts.import}>
          <label>
            {workflowsTexts.file}
            <input name="file" type="file" accept="application/json,.json" required />
          </label>
        </Form>
      </section>
      <section className="panel">
        <h2>{workflowsTexts.create}</h2>
        <Form onSend={create} action={texts.create}>
          <Field label={texts.name} name="title" required />
        </Form>
      </section>
    </Page>
  );
}
