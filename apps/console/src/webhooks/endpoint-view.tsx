import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { Chips } from '../ui/chips';
import { Copy } from '../ui/copy';
import { Json } from '../ui/json';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time, duration } from '../ui/time';
import { deliveryStates } from './event-types';

const route = getRouteApi('/webhooks/$endpointId');

/** An endpoint: its deliveries with their attempts, tests, replays and its secret. */
export default function EndpointView() {
  const { endpointId } = route.useParams();
  const client = useClient();
  const queries = useQueryClient();
  const [notice, setNotice] = useState<string>();
  const endpoint = useQuery({
    queryKey: ['endpoint', endpointId],
    queryFn: async () => client.webhookEndpoints.get(endpointId),
  });
  const reload = () => queries.invalidateQueries({ queryKey: ['endpoint', endpointId] });
  const { webhookEndpoints } = client;
  const rotate = async (): Promise<void> => {
    const { secret } = await webhookEndpoints.rotateSecret(endpointId, {});
    setNotice(`${texts.webhooks.secret} ${secret}`);
  };
  const replay = async (): Promise<void> => {
    const to = new Date();
    const from = new Date(to.getTime() - 3_600_000);
    await webhookEndpoints.replayEvents(endpointId, { from: from.toISOString(), to: to.toISOString() });
    setNotice(texts.webhooks.replayed);
    await reload();
  };
  const after = (act: () => PromiseLike<unknown>) => async (): Promise<void> => {
    await act();
    await reload();
  };
  return (
    <Page
      title={endpoint.data?.url ?? texts.webhooks.title}
      above={<Link to="/webhooks">{texts.webhooks.title}</Link>}
      actions={
        endpoint.data && (
          <>
            <Action onAct={after(() => webhookEndpoints.test(endpointId, {}))}>{texts.webhooks.test}</Action>
            <Action onAct={replay}>{texts.webhooks.replay}</Action>
            <Action onAct={rotate}>{texts.webhooks.rotate}</Action>
            {endpoint.data.enabled ? (
              <Action className="danger" onAct={after(() => webhookEndpoints.disable(endpointId))}>
                {texts.webhooks.disable}
              </Action>
            ) : (
              <Action onAct={after(() => webhookEndpoints.enable(endpointId))}>{texts.webhooks.enable}</Action>
            )}
          </>
        )
      }
    >
      {notice !== undefined && (
        <p className="notice" role="status">
          {notice} <Copy text={notice.split(' ').at(-1) ?? ''} />
        </p>
      )}
      <Loaded query={endpoint}>
        {({ enabled, disabledReason, events }) => (
          <p>
            <Status value={enabled ? 'enabled' : 'disabled'} /> {disabledReason} {events.join(', ')}
          </p>
        )}
      </Loaded>
      <Deliveries endpointId={endpointId} />
    </Page>
  );
}

function Deliveries({ endpointId }: { endpointId: string }) {
  const client = useClient();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const state = deliveryStates.find((each) => each === search.state);
  const deliveries = usePaged(
    ['endpoint', endpointId, 'deliveries', state],
    (cursor) => client.webhookEndpoints.listDeliveries(endpointId, { state, limit: 50, cursor }),
    2000,
  );
  return (
    <section className="panel scroll">
      <h2>{texts.webhooks.deliveries}</h2>
      <div className="chips">
        <Chips
          label={texts.status}
          all={texts.runs.all}
          options={deliveryStates}
          value={state}
          onChange={(chosen) => void navigate({ search: { state: chosen }, replace: true })}
        />
      </div>
      <PagedList paged={deliveries} none={texts.webhooks.noDeliveries}>
        {(items) => items.map((delivery) => <Delivery key={delivery.id} delivery={delivery} />)}
      </PagedList>
    </section>
  );
}

function Delivery({ delivery }: { delivery: shapes.WebhookDeliveryItem }) {
  const { id, event, state, tries, lastStatus, lastError, createdAt } = delivery;
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(toggled) => setOpen(toggled.currentTarget.open)}>
      <summary>
        <Status value={state} /> {event} <span className="quiet">{lastStatus ?? lastError}</span> {tries}×{' '}
        <Time at={createdAt} /> <code className="quiet">{id.slice(-12)}</code>
      </summary>
      {isOpen && <Attempts delivery={delivery} />}
    </details>
  );
}

function Attempts({ delivery: { id, endpointId, tries, state } }: { delivery: shapes.WebhookDeliveryItem }) {
  const client = useClient();
  const queries = useQueryClient();
  const detail = useQuery({
    queryKey: ['delivery', id, tries, state],
    queryFn: async () => client.webhookEndpoints.getDelivery(endpointId, id),
  });
  const again = async (): Promise<void> => {
    await client.webhookEndpoints.redeliver(endpointId, id);
    await queries.invalidateQueries({ queryKey: ['endpoint', endpointId, 'deliveries'] });
  };
  return (
    <Loaded query={detail}>
      {({ attempts }) => (
        <>
          <table className="table">
            <tbody>
              {attempts.map(({ number, status, error, detail: why, answer, durationMs, at }) => (
                <tr key={number}>
                  <th scope="row">{number}</th>
                  <td>
                    {status ?? error} {why}
                  </td>
                  <td>{duration(durationMs)}</td>
                  <td>
                    <Time at={at} />
                  </td>
                  <td>{answer !== '' && <Json value={answer} label={texts.webhooks.response} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Action onAct={again}>{texts.webhooks.redeliver}</Action>
        </>
      )}
    </Loaded>
  );
}
