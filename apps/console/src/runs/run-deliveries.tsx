import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { Attempts } from '../webhooks/attempts';
import { deliveriesRefresh } from './deliveries-refresh';

/** The webhook deliveries that a run caused; a chosen one with its attempts. */
export function RunDeliveries({ run }: { run: shapes.PlatformRunStatus }) {
  const { id, status, completedAt } = run;
  const { title, open, canceled } = texts.runs.deliveries;
  return (
    <section className="panel">
      <h2>{title}</h2>
      {!completedAt && <p className="quiet">{open}</p>}
      {status === 'canceled' && <p className="quiet">{canceled}</p>}
      {completedAt && status !== 'canceled' && <Deliveries runId={id} completedAt={completedAt} />}
    </section>
  );
}

function Deliveries({ runId, completedAt }: { runId: string; completedAt: string }) {
  const client = useClient();
  const deliveries = useQuery({
    queryKey: ['run', runId, 'deliveries'],
    queryFn: async () => {
      const all: shapes.RunWebhookDelivery[] = [];
      for await (const each of client.runs.listWebhookDeliveries(runId)) all.push(each);
      return all;
    },
    refetchInterval: ({ state }) => deliveriesRefresh(state.data, completedAt),
  });
  const [chosen, setChosen] = useState<string>();
  const reload = async (): Promise<void> => {
    await deliveries.refetch();
  };
  return (
    <Loaded query={deliveries}>
      {(items) => {
        const delivery = items.find(({ id }) => id === chosen);
        if (items.length === 0) return <p className="quiet">{texts.runs.deliveries.none}</p>;
        return (
          <>
            <div className="scroll" tabIndex={0} role="region" aria-label={texts.runs.deliveries.title}>
              <table className="table stacks">
                <thead>
                  <tr>
                    <th scope="col">{texts.runs.deliveries.endpoint}</th>
                    <th scope="col">{texts.runs.deliveries.event}</th>
                    <th scope="col">{texts.status}</th>
                    <th scope="col">{texts.runs.deliveries.answer}</th>
                    <th scope="col">{texts.created}</th>
                    <th scope="col">{texts.runs.deliveries.attempts}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(
                    ({ id, endpointId, endpointUrl, event, state, tries, lastStatus, lastError, createdAt }) => (
                      <tr key={id}>
                        <th scope="row">
                          <Link to="/webhooks/$endpointId" params={{ endpointId }}>
                            {endpointUrl}
                          </Link>
                        </th>
                        <td>{event}</td>
                        <td>
                          <Status value={state} />
                        </td>
                        <td>{lastStatus ?? lastError ?? '–'}</td>
                        <td>
                          <Time at={createdAt} />
                        </td>
                        <td>
                          <button
                            type="button"
                            aria-expanded={id === chosen}
                            aria-label={`${texts.runs.deliveries.attempts} ${endpointUrl}`}
                            onClick={() => setChosen(id === chosen ? undefined : id)}
                          >
                            {tries}
                          </button>
                        </td>
                      </tr>
                    ),
                  )}
                </tbody>
              </table>
            </div>
            {delivery && (
              <div role="region" aria-label={texts.runs.deliveries.attempts}>
                <h3>{delivery.endpointUrl}</h3>
                <Attempts key={delivery.id} delivery={delivery} onSent={reload} />
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
