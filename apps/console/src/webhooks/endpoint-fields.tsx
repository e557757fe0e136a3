import type { shapes } from '@lensforge/sdk';
import { texts } from '../texts';
import { webhooksTexts } from '../view-texts/webhooks';
import { readField } from '../ui/form';
import { eventTypes } from './event-types';
import { Field } from '../ui/field';

type Endpoint = Pick<shapes.WebhookEndpointReply, 'url' | 'events' | 'description'>;

/** The fields of a webhook endpoint, for a new one or with the values of one that exists. */
export function EndpointFields({ endpoint }: { endpoint?: Endpoint }) {
  const isChosen = (event: (typeof eventTypes)[number]): boolean =>
    endpoint ? endpoint.events.includes(event) : event.startsWith('run.');
  return (
    <>
      <Field
        label={webhooksTexts.url}
        name="url"
        type="url"
        required
        placeholder="https://example.com/webhooks"
        defaultValue={endpoint?.url}
      />
      <Field label={texts.description} name="description" defaultValue={endpoint?.description} />
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
