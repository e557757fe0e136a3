import type { shapes } from '@lensforge/sdk';
import { texts } from '../texts';
import { webhooksTexts } from '../view-texts/webhooks';
import { readField } from '../ui/form';
import { eventTypes } from './event-types';

type Endpoint = Pick<shapes.WebhookEndpointReply, 'url' | 'events' | 'description'>;

/** The fields of a webhook endpoint, for a new one or with the values of one that exists. */
export function EndpointFields({ endpoint }: { endpoint?: Endpoint }) {
  const isChosen = (event: (typeof eventTypes)[number]): boolean =>
    endpoint ? endpoint.events.includes(event) : event.startsWith('run.');
  return (
    <>
      <label>
        {webhooksTexts.url}
        <input name="url" type="url" required placeholder="https://example.com/webhooks" defaultValue={endpoint?.url} />
      </label>
      <label>
        {texts.description}
        <input name="description" defaultValue={endpoint?.description} />
      </label>
      <fieldset className="row">
        <legend>{webhooksTexts.events}</legend>
        {eventTypes.map((event) => (
          <label key={event} className="check">
            <input type="checkbox" name="events" value={event} defaultChecked={isChosen(event)} /> {event}
          </label>
        ))}
      </fieldset>
    </>
  );
}

export const readEndpoint = (values: FormData): Endpoint => ({
  url: readField(values, 'url'),
  events: eventTypes.filter((event) => values.getAll('events').includes(event)),
  description: readField(values, 'description'),
});
