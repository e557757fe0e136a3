import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../session/console';
import { webhooksTexts } from '../view-texts/webhooks';
import { Form, readField } from '../ui/form';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { localTime, toIsoTime } from '../ui/time-field';
import { Field, SelectField } from '../ui/field';

/** Replays of an endpoint: a form for a range of time, and how far earlier ones are. */
export function Replays({ endpointId }: { endpointId: string }) {
  const { webhookEndpoints } = useClient();
  const queries = useQueryClient();
  const replays = useQuery({
    queryKey: ['endpoint', endpointId, 'replays'],
    queryFn: async () => (await webhookEndpoints.listReplays(endpointId, { limit: 10 })).items,
    refetchInterval: ({ state }) => (state.data?.some((replay) => replay.state === 'running') ? 2000 : false),
  });
  const replay = async (values: FormData): Promise<void> => {
    const to = readField(values, 'to');
    await webhookEndpoints.replayEvents(endpointId, {
      from: toIsoTime(readField(values, 'from')),
      ...(to !== '' && { to: toIsoTime(to) }),
      what: readField(values, 'what') === 'all' ? 'all' : 'undelivered',
    });
    await queries.invalidateQueries({ queryKey: ['endpoint', endpointId] });
  };
  return (
    <details className="panel">
      <summary>{webhooksTexts.replay}</summary>
      <p className="quiet">{webhooksTexts.replayHint}</p>
      <Form onSend={replay} action={webhooksTexts.beginReplay}>
        <div className="columns">
          <Field
            label={webhooksTexts.from}
            name="from"
            type="datetime-local"
            required
            defaultValue={localTime(Date.now() - 3_600_000)}
          />
          <Field label={webhooksTexts.to} name="to" type="datetime-local" />
          <SelectField label={webhooksTexts.what} name="what">
            <option value="undelivered">{webhooksTexts.undelivered}</option>
            <option value="all">{webhooksTexts.allEvents}</option>
          </SelectField>
        </div>
      </Form>
      <Loaded query={replays}>
        {(items) => (
          <table className="table">
            <caption>{webhooksTexts.replays}</caption>
            <tbody>
              {items.map(({ id, from, to, what, state, looked, made }) => (
                <tr key={id}>
                  <td>
                    <Status value={state} /> {what}
                  </td>
                  <td>
                    <Time at={from} /> – <Time at={to} />
                  </td>
                  <td>
                    {webhooksTexts.checked} {looked}, {webhooksTexts.sent} {made}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </details>
  );
}
