import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { webhooksTexts } from '../view-texts/webhooks';
import { Action } from '../ui/action';
import { Json } from '../ui/json';
import { Loaded } from '../ui/states';
import { Time, duration } from '../ui/time';

interface Props {
  delivery: shapes.WebhookDeliveryItem;
  /** Reads the delivery again, which waits for its next attempt now. */
  onSent: () => Promise<void>;
}

/** The attempts of a delivery with their responses, its request, and a button that sends it again. */
export function Attempts({ delivery: { id, endpointId, tries, state }, onSent }: Props) {
  const client = useClient();
  const detail = useQuery({
    queryKey: ['delivery', id, tries, state],
    queryFn: async () => client.webhookEndpoints.getDelivery(endpointId, id),
    placeholderData: keepPreviousData,
  });
  const again = async (): Promise<void> => {
    await client.webhookEndpoints.redeliver(endpointId, id);
    await onSent();
  };
  return (
    <Loaded query={detail}>
      {({ attempts, request }) => (
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
                  <td>{answer !== '' && <Json value={answer} label={webhooksTexts.response} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <details>
            <summary>{webhooksTexts.request}</summary>
            <p className="quiet">{webhooksTexts.requestHint}</p>
            <Json value={headerLines(request.headers)} label={webhooksTexts.requestHeaders} />
            <Json value={JSON.parse(request.body) as unknown} label={webhooksTexts.requestBody} />
          </details>
          <Action onAct={again}>{webhooksTexts.redeliver}</Action>
        </>
      )}
    </Loaded>
  );
}

const headerLines = (headers: Record<string, unknown>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');
