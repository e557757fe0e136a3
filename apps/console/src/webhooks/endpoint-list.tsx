import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { webhooksTexts } from '../view-texts/webhooks';
import { Copy } from '../ui/copy';
import { Form } from '../ui/form';
import { Empty, Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Suspension } from '../ui/suspension';
import { EndpointFields, readEndpoint } from './endpoint-fields';
import { DataTable } from '../ui/data-table';

/** The webhook endpoints of the account. */
export function EndpointList() {
  const client = useClient();
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const endpoints = useQuery({
    queryKey: ['endpoints'],
    queryFn: async () => (await client.webhookEndpoints.list({ limit: 100 })).items,
  });
  const create = async (values: FormData): Promise<void> => {
    const created = await client.webhookEndpoints.create(readEndpoint(values));
    setSecret(created.secret);
    await queries.invalidateQueries({ queryKey: ['endpoints'] });
  };
  return (
    <>
      <section className="panel">
        <Loaded query={endpoints}>
          {(items) =>
            items.length === 0 ? (
              <Empty title={webhooksTexts.none} />
            ) : (
              <DataTable
                items={items}
                getKey={({ id }) => id}
                columns={[
                  {
                    name: webhooksTexts.endpointColumns.address,
                    sortBy: ({ url }) => url,
                    show: ({ id, url, description }) => (
                      <>
                        <Link to="/webhooks/$endpointId" params={{ endpointId: id }}>
                          {url}
                        </Link>
                        <div className="quiet">{description}</div>
                      </>
                    ),
                  },
                  { name: webhooksTexts.endpointColumns.events, show: ({ events }) => events.join(', ') },
                  {
                    name: webhooksTexts.endpointColumns.status,
                    show: ({ enabled, disabledReason, suspendedReason }) => (
                      <>
                        <Status value={enabled ? 'enabled' : 'disabled'} /> {disabledReason}{' '}
                        <Suspension reason={suspendedReason} />
                      </>
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </section>
      <section className="panel">
        <h2>{webhooksTexts.create}</h2>
        {secret !== undefined && (
          <p className="notice" role="status">
            {webhooksTexts.secret} <code>{secret}</code> <Copy text={secret} />
          </p>
        )}
        <Form onSend={create} action={texts.create} clears>
          <EndpointFields />
        </Form>
      </section>
    </>
  );
}
