import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { webhooksTexts } from '../view-texts/webhooks';
import { Action } from '../ui/action';
import { Copy } from '../ui/copy';
import { Form, fieldOf } from '../ui/form';
import { Json } from '../ui/json';
import { Empty, Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';

/** A shell command that calls an incoming webhook with its secret. */
const recipeOf = (api: string, path: string, secret: string): string =>
  `curl -X POST ${api}${path} -H 'Content-Type: application/json' -H 'X-Webhook-Secret: ${secret}' -d '{"params":{}}'`;

/** The incoming webhooks of the account: calls of other programs that start workflows. */
export function IncomingList() {
  const { client, settings } = useConsole();
  const [made, setMade] = useState<shapes.IncomingWebhookWithSecret>();
  const hooks = useQuery({
    queryKey: ['incoming'],
    queryFn: async () => (await client.incomingWebhooks.list({ limit: 100 })).items,
  });
  const { data: workflows = [] } = useQuery({
    queryKey: ['palette', 'workflows'],
    queryFn: async () => (await client.workflows.list({ limit: 100 })).items,
  });
  const create = async (values: FormData): Promise<void> => {
    setMade(
      await client.incomingWebhooks.create({
        workflowId: fieldOf(values, 'workflow'),
        name: fieldOf(values, 'name'),
      }),
    );
    await hooks.refetch();
  };
  const rotate = async (id: string): Promise<void> => setMade(await client.incomingWebhooks.rotate(id, {}));
  const remove = async (id: string): Promise<void> => {
    await client.incomingWebhooks.remove(id);
    await hooks.refetch();
  };
  return (
    <>
      <section className="panel">
        {made && (
          <div className="notice" role="status">
            <p>
              {webhooksTexts.secret} <code>{made.secret}</code> <Copy text={made.secret} />
            </p>
            <p>{webhooksTexts.recipe}</p>
            <Json value={recipeOf(settings.api, made.path, made.secret)} label={webhooksTexts.recipe} />
          </div>
        )}
        <Loaded query={hooks}>
          {(items) =>
            items.length === 0 ? (
              <Empty title={webhooksTexts.noIncoming} />
            ) : (
              items.map(({ id, name, path, enabled, workflowId }) => (
                <details key={id}>
                  <summary>
                    {name} <code className="quiet">{path}</code> <Status value={enabled ? 'enabled' : 'disabled'} />
                  </summary>
                  <div className="row">
                    <Link to="/workflows/$workflowId" params={{ workflowId }}>
                      {webhooksTexts.workflow}
                    </Link>
                    <Action onAct={() => rotate(id)}>{webhooksTexts.rotate}</Action>
                    <Action className="danger" onAct={() => remove(id)}>
                      {texts.remove}
                    </Action>
                  </div>
                  <Calls webhookId={id} />
                </details>
              ))
            )
          }
        </Loaded>
      </section>
      <section className="panel">
        <h2>{webhooksTexts.newIncoming}</h2>
        <Form onSend={create} action={texts.create} clears>
          <label>
            {texts.name}
            <input name="name" required />
          </label>
          <label>
            {webhooksTexts.workflow}
            <select name="workflow" required>
              {workflows.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        </Form>
      </section>
    </>
  );
}

function Calls({ webhookId }: { webhookId: string }) {
  const { client } = useConsole();
  const calls = useQuery({
    queryKey: ['incoming', webhookId, 'calls'],
    queryFn: async () => (await client.incomingWebhooks.listCalls(webhookId, { limit: 20 })).items,
  });
  return (
    <Loaded query={calls}>
      {(items) =>
        items.length === 0 ? (
          <p className="quiet">{webhooksTexts.noCalls}</p>
        ) : (
          <table className="table">
            <caption>{webhooksTexts.calls}</caption>
            <tbody>
              {items.map(({ id, status, reason, via, runId, receivedAt }) => (
                <tr key={id}>
                  <td>
                    {status} {reason} <span className="quiet">{via}</span>
                  </td>
                  <td>
                    {runId && (
                      <Link to="/runs/$runId" params={{ runId }}>
                        {runId.slice(-12)}
                      </Link>
                    )}
                  </td>
                  <td>
                    <Time at={receivedAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </Loaded>
  );
}
