import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { agentsTexts } from '../view-texts/agents';
import { webhooksTexts } from '../view-texts/webhooks';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { Json } from '../ui/json';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { McpConsent } from './mcp-consent';
import { Field } from '../ui/field';

/** The external MCP servers of the person, whose tools AI lensers can be granted. */
export function McpServers() {
  const client = useClient();
  const servers = usePaged(['mcp-servers'], (cursor) => client.mcpServers.listMcpServers({ limit: 30, cursor }), 4000);
  return (
    <>
      <p className="quiet">{agentsTexts.serversHint}</p>
      <PagedList paged={servers} none={agentsTexts.noServers}>
        {(items) => items.map((server) => <Server key={server.id} server={server} onChanged={servers.retry} />)}
      </PagedList>
      <section className="panel">
        <h2>{agentsTexts.registerServer}</h2>
        <Register onRegistered={servers.retry} />
      </section>
    </>
  );
}

function Server({ server, onChanged }: { server: shapes.McpServer; onChanged: () => void }) {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const { id, name, url, auth, enabled, toolCount, refresh, authorizationServer } = server;
  const changedTo = authorizationServer?.changedTo;
  const act = async (call: Promise<unknown>): Promise<void> => {
    await call;
    onChanged();
  };
  return (
    <section className="panel" aria-label={name}>
      <h2>
        {name} <Status value={enabled ? 'enabled' : 'disabled'} />
      </h2>
      <dl className="facts">
        <dt>{agentsTexts.serverUrl}</dt>
        <dd>
          <code>{url}</code>
        </dd>
        <dt>{agentsTexts.authentication}</dt>
        <dd>
          {agentsTexts.authKinds[auth.kind]} {auth.headerName ?? auth.clientId}
        </dd>
        {authorizationServer && (
          <>
            <dt>{agentsTexts.authorizationServer}</dt>
            <dd>
              <code>{authorizationServer.tokenUrl}</code>
            </dd>
          </>
        )}
        <dt>{agentsTexts.tools}</dt>
        <dd>
          {toolCount} {refresh && <Status value={refresh.status} />} {refresh?.message}{' '}
          {refresh?.refreshedAt && <Time at={refresh.refreshedAt} />}
        </dd>
      </dl>
      {authorizationServer && changedTo && (
        <div role="alert" className="notice bad">
          <p>{agentsTexts.issuerChanged(changedTo.tokenUrl)}</p>
          <ConfirmedAction
            question={agentsTexts.confirmIssuerQuestion(changedTo.tokenUrl)}
            onAct={() => act(client.mcpServers.confirmMcpIssuer(id, changedTo))}
          >
            {agentsTexts.confirmIssuer}
          </ConfirmedAction>
          <Action
            onAct={() => {
              const { issuer, tokenUrl } = authorizationServer;
              return act(client.mcpServers.confirmMcpIssuer(id, { issuer, tokenUrl }));
            }}
          >
            {agentsTexts.keepIssuer}
          </Action>
        </div>
      )}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{agentsTexts.seeTools}</summary>
        {isOpen && <McpTools serverId={id} count={toolCount} />}
      </details>
      <div className="row">
        <McpConsent server={server} />
        <Action onAct={() => act(client.mcpServers.refreshMcpServer(id))}>{agentsTexts.refresh}</Action>
        <Action onAct={() => act(client.mcpServers.updateMcpServer(id, { enabled: !enabled }))}>
          {enabled ? webhooksTexts.disable : webhooksTexts.enable}
        </Action>
        <ConfirmedAction
          question={agentsTexts.deleteServerQuestion(name)}
          onAct={() => act(client.mcpServers.deleteMcpServer(id))}
        >
          {texts.remove}
        </ConfirmedAction>
      </div>
    </section>
  );
}

function McpTools({ serverId, count }: { serverId: string; count: number }) {
  const client = useClient();
  const tools = usePaged(['mcp-servers', serverId, 'tools', count], (cursor) =>
    client.mcpServers.listMcpTools(serverId, { limit: 50, cursor }),
  );
  return (
    <PagedList paged={tools} none={agentsTexts.noServerTools}>
      {(items) => (
        <ul className="tool-list">
          {items.map(({ toolId, title, description, inputSchema, allowed }) => (
            <li key={toolId}>
              <details>
                <summary>
                  <code>{toolId}</code> {title} {!allowed && <Status value="refused" />}
                </summary>
                <p className="answer">{description}</p>
                <Json value={inputSchema} label={`${agentsTexts.arguments}: ${toolId}`} />
              </details>
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}

type AuthKind = 'none' | 'header' | 'oauth';
const authKinds: readonly AuthKind[] = ['none', 'header', 'oauth'];

/** Secrets go to the server, which seals them, and are never shown again. */
function Register({ onRegistered }: { onRegistered: () => void }) {
  const client = useClient();
  const [kind, setKind] = useState<AuthKind>('none');
  const register = async (values: FormData): Promise<void> => {
    const auth: shapes.McpAuthRequest =
      kind === 'header'
        ? { kind, headerName: readField(values, 'headerName'), headerValue: readField(values, 'headerValue') }
        : kind === 'oauth'
          ? {
              kind,
              grantType: 'client_credentials',
              clientId: readField(values, 'clientId'),
              clientSecret: readField(values, 'clientSecret'),
              ...(readField(values, 'tokenUrl') !== '' && { tokenUrl: readField(values, 'tokenUrl') }),
            }
          : { kind };
    await client.mcpServers.createMcpServer({ name: readField(values, 'name'), url: readField(values, 'url'), auth });
    onRegistered();
  };
  return (
    <Form onSend={register} action={agentsTexts.register} clears>
      <div className="columns">
        <Field
          label={agentsTexts.serverName}
          name="name"
          required
          pattern="[a-z0-9][a-z0-9\-]{0,39}"
          autoComplete="off"
        />
        <Field label={agentsTexts.serverUrl} name="url" type="url" required placeholder="https://mcp.example.com/mcp" />
        <label>
          {agentsTexts.authentication}
          <select
            value={kind}
            onChange={({ currentTarget }) => setKind(authKinds.find((each) => each === currentTarget.value) ?? kind)}
          >
            {authKinds.map((each) => (
              <option key={each} value={each}>
                {agentsTexts.authKinds[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {kind === 'header' && (
        <div className="columns">
          <Field label={agentsTexts.headerName} name="headerName" required defaultValue="authorization" />
          <Field
            label={agentsTexts.headerValue}
            name="headerValue"
            type="password"
            required
            autoComplete="off"
            placeholder="Bearer …"
          />
        </div>
      )}
      {kind === 'oauth' && (
        <div className="columns">
          <Field label={agentsTexts.clientId} name="clientId" required autoComplete="off" />
          <Field label={agentsTexts.clientSecret} name="clientSecret" type="password" required autoComplete="off" />
          <Field label={agentsTexts.tokenUrl} name="tokenUrl" type="url" />
        </div>
      )}
    </Form>
  );
}
