import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { AgentEvent, shapes } from '@lensforge/sdk';
import { useEffect, useState } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { Form, fieldOf } from '../ui/form';
import { Json } from '../ui/json';
import { Page } from '../ui/page';
import { Rows } from '../ui/rows';
import { Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';

const route = getRouteApi('/agents/$aiLenserId');

/** An AI lenser: its profile and policy, its tools, what waits for its owner, and its log. */
export default function AgentView() {
  const { aiLenserId } = route.useParams();
  const { client, me } = useConsole();
  const agent = useQuery({ queryKey: ['agent', aiLenserId], queryFn: async () => client.agents.get(aiLenserId) });
  const isMine = agent.data !== undefined && agent.data.owner.id === me.account?.id;
  return (
    <Page title={agent.data?.displayName ?? texts.agents.title} above={<Link to="/agents">{texts.agents.title}</Link>}>
      <Loaded query={agent}>{(found) => <Profile agent={found} />}</Loaded>
      {isMine && (
        <>
          <Approvals aiLenserId={aiLenserId} />
          <Tools aiLenserId={aiLenserId} />
          <Log aiLenserId={aiLenserId} />
        </>
      )}
    </Page>
  );
}

const Profile = ({ agent }: { agent: shapes.AiLenser }) => (
  <section className="panel">
    <p>{agent.bio}</p>
    <dl className="facts">
      <dt>{texts.status}</dt>
      <dd>
        <Status value={agent.status} />
      </dd>
      <dt>{texts.agents.owner}</dt>
      <dd>@{agent.owner.handle}</dd>
      <dt>{texts.agents.model}</dt>
      <dd>{agent.aiModelKey ?? texts.lenses.defaultModel}</dd>
    </dl>
    {agent.policy && <Json value={agent.policy} label={texts.agents.policy} />}
  </section>
);

function Approvals({ aiLenserId }: { aiLenserId: string }) {
  const { client } = useConsole();
  const approvals = useQuery({
    queryKey: ['agent', aiLenserId, 'approvals'],
    queryFn: async () => (await client.agents.listApprovals(aiLenserId, { status: 'pending' })).items,
    refetchInterval: 5000,
  });
  const decide = async (id: string, approve: boolean): Promise<void> => {
    await client.agents.decideApproval(aiLenserId, id, { approve });
    await approvals.refetch();
  };
  return (
    <section className="panel">
      <h2>{texts.agents.approvals}</h2>
      <Loaded query={approvals}>
        {(items) =>
          items.length === 0 ? (
            <p className="quiet">{texts.agents.noApprovals}</p>
          ) : (
            items.map(({ id, action, metadata, expiresAt }) => (
              <div key={id}>
                <p>
                  <strong>{action}</strong> <Time at={expiresAt} />
                </p>
                <Json value={metadata} label={action} />
                <div className="row">
                  <Action className="primary" onAct={() => decide(id, true)}>
                    {texts.agents.approve}
                  </Action>
                  <Action className="danger" onAct={() => decide(id, false)}>
                    {texts.agents.deny}
                  </Action>
                </div>
              </div>
            ))
          )
        }
      </Loaded>
    </section>
  );
}

function Tools({ aiLenserId }: { aiLenserId: string }) {
  const { client } = useConsole();
  const tools = useQuery({
    queryKey: ['agent', aiLenserId, 'tools'],
    queryFn: async () => (await client.agents.listTools(aiLenserId, { limit: 200 })).items,
  });
  const grant = async (values: FormData): Promise<void> => {
    await client.agents.assignTool(aiLenserId, { toolId: fieldOf(values, 'tool') });
    await tools.refetch();
  };
  const revoke = async (toolId: string): Promise<void> => {
    await client.agents.revokeTool(aiLenserId, toolId);
    await tools.refetch();
  };
  return (
    <section className="panel">
      <h2>{texts.agents.tools}</h2>
      <Loaded query={tools}>
        {(items) => (
          <table className="table">
            <tbody>
              {items.map(({ toolId, allowed }) => (
                <tr key={toolId}>
                  <td>
                    <code>{toolId}</code>
                  </td>
                  <td>
                    <Status value={allowed ? 'approved' : 'denied'} />
                  </td>
                  <td>
                    <Action onAct={() => revoke(toolId)}>{texts.agents.revoke}</Action>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
      <Form onSend={grant} action={texts.agents.grant} clears>
        <label>
          {texts.agents.tool}
          <input name="tool" required placeholder="run_lens" />
        </label>
      </Form>
    </section>
  );
}

function Log({ aiLenserId }: { aiLenserId: string }) {
  const { client } = useConsole();
  const [events, setEvents] = useState<AgentEvent[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const follow = async (): Promise<void> => {
      const stream = client.agents.events(aiLenserId, { signal: controller.signal });
      for await (const event of stream) setEvents((before) => [...before, event]);
    };
    setEvents([]);
    // Without the stream the rest of the view still works.
    follow().catch(() => undefined);
    return () => controller.abort();
  }, [client, aiLenserId]);
  return (
    <>
      <h2>{texts.agents.transcript}</h2>
      <Rows
        items={events}
        label={texts.agents.transcript}
        rowHeight={30}
        row={({ sequence, eventType, payload }, style) => (
          <div className="rows-item event-row" style={style} key={sequence}>
            <span className="quiet">{sequence}</span>
            <span>{eventType}</span>
            <code>{JSON.stringify(payload)}</code>
          </div>
        )}
      />
    </>
  );
}
