import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { delegationsTexts } from '../view-texts/delegations';
import { webhooksTexts } from '../view-texts/webhooks';
import { Action } from '../ui/action';
import { Chips } from '../ui/chips';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Loaded } from '../ui/states';
import { Secret } from '../ui/secret';
import { Status } from '../ui/status';
import { Suspension } from '../ui/suspension';
import { Time } from '../ui/time';
import { Attempts } from './attempts';
import { EndpointFields, readEndpoint } from './endpoint-fields';
import { deliveryStates, eventTypes } from './event-types';
import { NewSecretForm } from './new-secret-form';
import { Replays } from './replay-form';
import { SelectField } from '../ui/field';
import { announce } from '../ui/announce';

const route = getRouteApi('/webhooks/$endpointId');

/** An endpoint: its deliveries with their attempts, tests, replays and its secret. */
export default function EndpointView() {
  const { endpointId } = route.useParams();
  const client = useClient();
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const endpoint = useQuery({
    queryKey: ['endpoint', endpointId],
    queryFn: async () => client.webhookEndpoints.get(endpointId),
  });
  const reload = () => queries.invalidateQueries({ queryKey: ['endpoint', endpointId] });
  const { webhookEndpoints } = client;
  const navigate = route.useNavigate();
  const change = async (values: FormData): Promise<void> => {
    await webhookEndpoints.update(endpointId, readEndpoint(values));
    await reload();
  };
  const remove = async (): Promise<void> => {
    await webhookEndpoints.delete(endpointId);
    announce(texts.removed(webhooksTexts.anEndpoint));
    await queries.invalidateQueries({ queryKey: ['endpoints'] });
    await navigate({ to: '/webhooks' });
  };
  const rotate = async (overlapSeconds: number): Promise<void> => {
    setSecret((await webhookEndpoints.rotateSecret(endpointId, { overlapSeconds })).secret);
    await reload();
  };
  const takeOver = async (): Promise<void> => {
    setSecret((await webhookEndpoints.takeOver(endpointId)).secret);
    await reload();
  };
  const test = async (values: FormData): Promise<void> => {
    const event = eventTypes.find((each) => each === readField(values, 'event'));
    await webhookEndpoints.test(endpointId, event === undefined ? {} : { event });
    await reload();
  };
  const after = (act: () => PromiseLike<unknown>) => async (): Promise<void> => {
    await act();
    await reload();
  };
  return (
    <Page
      title={endpoint.data?.url ?? webhooksTexts.title}
      above={<Link to="/webhooks">{webhooksTexts.title}</Link>}
      actions={
        endpoint.data && (
          <>
            {endpoint.data.enabled ? (
              <Action className="danger" onAct={after(() => webhookEndpoints.disable(endpointId))}>
                {webhooksTexts.disable}
              </Action>
            ) : (
              endpoint.data.suspendedReason === null && (
                <Action onAct={after(() => webhookEndpoints.enable(endpointId))}>{webhooksTexts.enable}</Action>
              )
            )}
            <ConfirmedAction question={delegationsTexts.takeOverEndpoint(endpoint.data.url)} onAct={takeOver}>
              {delegationsTexts.takeOver}
            </ConfirmedAction>
            <ConfirmedAction question={webhooksTexts.removeQuestion(endpoint.data.url)} onAct={remove}>
              {texts.remove}
            </ConfirmedAction>
          </>
        )
      }
    >
      {secret !== undefined && <Secret what={webhooksTexts.secret} value={secret} />}
      <Loaded query={endpoint}>
        {(found) => (
          <>
            <State endpoint={found} />
            <details className="panel">
              <summary>{webhooksTexts.change}</summary>
              <Form onSend={change} action={texts.save} done={texts.saved}>
                <EndpointFields endpoint={found} />
              </Form>
            </details>
            <details className="panel">
              <summary>{webhooksTexts.test}</summary>
              <Form onSend={test} action={webhooksTexts.sendTest}>
                <SelectField label={webhooksTexts.event} name="event">
                  <option value="">webhook.test</option>
                  {eventTypes.map((each) => (
                    <option key={each}>{each}</option>
                  ))}
                </SelectField>
              </Form>
            </details>
            <details className="panel">
              <summary>{webhooksTexts.rotate}</summary>
              <p className="quiet">{webhooksTexts.overlapHint}</p>
              <NewSecretForm label={webhooksTexts.overlap} defaultHours={24} onRotate={rotate} />
            </details>
            <Replays endpointId={endpointId} />
          </>
        )}
      </Loaded>
      <Deliveries endpointId={endpointId} />
    </Page>
  );
}

function State({ endpoint }: { endpoint: shapes.WebhookEndpointReply }) {
  const { enabled, disabledReason, suspendedReason, events, previousSecretUntil, failingSince, pausedUntil } = endpoint;
  return (
    <>
      <p>
        <Status value={enabled ? 'enabled' : 'disabled'} /> {disabledReason} <Suspension reason={suspendedReason} />{' '}
        {events.join(', ')}
      </p>
      {failingSince !== null && (
        <p className="notice bad">
          {webhooksTexts.failing} <Time at={failingSince} />
          {pausedUntil !== null && (
            <>
              {' '}
              {webhooksTexts.pausedUntil} <Time at={pausedUntil} />
            </>
          )}
        </p>
      )}
      {previousSecretUntil !== null && Date.parse(previousSecretUntil) > Date.now() && (
        <p className="notice">
          {webhooksTexts.previousSecret} <Time at={previousSecretUntil} />
        </p>
      )}
    </>
  );
}

function Deliveries({ endpointId }: { endpointId: string }) {
  const client = useClient();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const state = deliveryStates.find((each) => each === search.state);
  const event = eventTypes.find((each) => each === search.event);
  const deliveries = usePaged(
    ['endpoint', endpointId, 'deliveries', state, event],
    (cursor) => client.webhookEndpoints.listDeliveries(endpointId, { state, event, limit: 50, cursor }),
    2000,
  );
  return (
    <section className="panel scroll">
      <h2>{webhooksTexts.deliveries}</h2>
      <div className="chips">
        <Chips
          label={texts.status}
          all={texts.runs.all}
          options={deliveryStates}
          value={state}
          onChange={(chosen) => void navigate({ search: { ...search, state: chosen }, replace: true })}
        />
        <Chips
          label={webhooksTexts.event}
          all={webhooksTexts.allEventTypes}
          options={eventTypes}
          value={event}
          onChange={(chosen) => void navigate({ search: { ...search, event: chosen }, replace: true })}
        />
      </div>
      <PagedList paged={deliveries} none={webhooksTexts.noDeliveries}>
        {(items) => items.map((delivery) => <Delivery key={delivery.id} delivery={delivery} />)}
      </PagedList>
    </section>
  );
}

function Delivery({ delivery }: { delivery: shapes.WebhookDeliveryItem }) {
  const { id, endpointId, event, state, tries, lastStatus, lastError, createdAt } = delivery;
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const reload = () => queries.invalidateQueries({ queryKey: ['endpoint', endpointId, 'deliveries'] });
  return (
    <details open={isOpen} onToggle={(toggled) => setOpen(toggled.currentTarget.open)}>
      <summary>
        <Status value={state} /> {event} <span className="quiet">{lastStatus ?? lastError}</span> {tries}×{' '}
        <Time at={createdAt} /> <code className="quiet">{id.slice(-12)}</code>
      </summary>
      {isOpen && <Attempts delivery={delivery} onSent={reload} />}
    </details>
  );
}
