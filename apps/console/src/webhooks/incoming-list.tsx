import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient, useConsole } from '../session/console';
import { texts } from '../texts';
import { delegationsTexts } from '../view-texts/delegations';
import { webhooksTexts } from '../view-texts/webhooks';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Copy } from '../ui/copy';
import { Form, readField } from '../ui/form';
import { Json } from '../ui/json';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Suspension } from '../ui/suspension';
import { Time } from '../ui/time';
import { NewSecretForm } from './new-secret-form';
import { Field, SelectField } from '../ui/field';

/** A shell command that calls an incoming webhook with its secret. */
const buildRecipe = (api: string, path: string, secret: string): string =>
  `curl -X POST ${api}${path} -H 'Content-Type: application/json' -H 'X-Webhook-Secret: ${secret}' -d '{"params":{}}'`;

/** The incoming webhooks of the account: calls of other programs that start workflows. */
export function IncomingList() {
  const { client, settings } = useConsole();
  const [made, setMade] = useState<shapes.IncomingWebhookWithSecret>();
  const hooks = usePaged(['incoming'], (cursor) => client.incomingWebhooks.list({ limit: 50, cursor }));
  const { data: workflows = [] } = useQuery({
    queryKey: ['palette', 'workflows'],
    queryFn: async () => (await client.workflows.list({ limit: 100 })).items,
  });
  const create = async (values: FormData): Promise<void> => {
    setMade(
      await client.incomingWebhooks.create({
        workflowId: readField(values, 'workflow'),
        name: readField(values, 'name'),
      }),
    );
    hooks.retry();
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
            <Json value={buildRecipe(settings.api, made.path, made.secret)} label={webhooksTexts.recipe} />
          </div>
        )}
        <PagedList paged={hooks} none={webhooksTexts.noIncoming}>
          {(items) =>
            items.map((hook) => <Incoming key={hook.id} hook={hook} onChanged={hooks.retry} onMade={setMade} />)
          }
        </PagedList>
      </section>
      <section className="panel">
        <h2>{webhooksTexts.newIncoming}</h2>
        <Form onSend={create} action={texts.create} clears>
          <Field label={texts.name} name="name" required />
          <SelectField label={webhooksTexts.workflow} name="workflow" required>
            {workflows.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </SelectField>
        </Form>
      </section>
    </>
  );
}

interface IncomingProps {
  hook: shapes.IncomingWebhook;
  onChanged: () => void;
  onMade: (made: shapes.IncomingWebhookWithSecret) => void;
}

function Incoming({ hook, onChanged, onMade }: IncomingProps) {
  const { incomingWebhooks } = useClient();
  const { id, name, path, enabled, suspendedReason, workflowId, previousSecretUntil } = hook;
  const act = async (call: PromiseLike<unknown>): Promise<void> => {
    await call;
    onChanged();
  };
  const rotate = async (overlapSeconds: number): Promise<void> => {
    onMade(await incomingWebhooks.rotate(id, { overlapSeconds }));
    onChanged();
  };
  const takeOver = async (): Promise<void> => {
    onMade(await incomingWebhooks.takeOver(id));
    onChanged();
  };
  return (
    <details>
      <summary>
        {name} <code className="quiet">{path}</code> <Status value={enabled ? 'enabled' : 'disabled'} />{' '}
        <Suspension reason={suspendedReason} />
      </summary>
      <div className="row">
        <Link to="/workflows/$workflowId" params={{ workflowId }}>
          {webhooksTexts.workflow}
        </Link>
        <Action onAct={() => act(incomingWebhooks.update(id, { enabled: !enabled }))}>
          {enabled ? webhooksTexts.disable : webhooksTexts.enable}
        </Action>
        <ConfirmedAction question={delegationsTexts.takeOverIncoming(name)} onAct={takeOver}>
          {delegationsTexts.takeOver}
        </ConfirmedAction>
        <ConfirmedAction question={webhooksTexts.removeIncoming(name)} onAct={() => act(incomingWebhooks.remove(id))}>
          {texts.remove}
        </ConfirmedAction>
      </div>
      {previousSecretUntil && (
        <p className="quiet">
          {webhooksTexts.oldSecretUntil} <Time at={previousSecretUntil} />
        </p>
      )}
      <details>
        <summary>{webhooksTexts.rotate}</summary>
        <NewSecretForm label={webhooksTexts.incomingOverlap} defaultHours={0} onRotate={rotate} />
      </details>
      <Calls webhookId={id} />
    </details>
  );
}

function Calls({ webhookId }: { webhookId: string }) {
  const client = useClient();
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
          <table className="table stacks">
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
