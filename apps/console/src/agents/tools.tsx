import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { agentsTexts } from '../view-texts/agents';
import { Action } from '../ui/action';
import { Form, readField } from '../ui/form';
import { Empty, Loaded } from '../ui/states';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { platformTools, toolGroups } from './tool-list';
import { SelectField } from '../ui/field';

/** The tools of an AI lenser. New ones are chosen from those of the platform, the owner's AI lensers and MCP servers. */
export function Tools({ agent }: { agent: shapes.AiLenser }) {
  const { client } = useConsole();
  const tools = useQuery({
    queryKey: ['agent', agent.id, 'tools'],
    queryFn: async () => (await client.agents.listTools(agent.id, { limit: 100 })).items,
  });
  const set = async (toolId: string, allowed: boolean): Promise<void> => {
    await client.agents.assignTool(agent.id, { toolId, allowed });
    await tools.refetch();
  };
  const revoke = async (toolId: string): Promise<void> => {
    await client.agents.revokeTool(agent.id, toolId);
    await tools.refetch();
  };
  const isActive = agent.status === 'active';
  return (
    <section className="panel scroll">
      <p className="quiet">{agentsTexts.toolsHint}</p>
      <Loaded query={tools}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={agentsTexts.noTools} />
          ) : (
            <table className="table stacks">
              <tbody>
                {items.map(({ toolId, allowed, suspendedAt }) => (
                  <tr key={toolId}>
                    <td>
                      <code>{toolId}</code>
                      {suspendedAt !== null && (
                        <div className="quiet">
                          {agentsTexts.suspended} <Time at={suspendedAt} />
                        </div>
                      )}
                    </td>
                    <td>
                      <Status value={suspendedAt !== null ? 'blocked' : allowed ? 'granted' : 'refused'} />
                    </td>
                    <td>
                      {isActive && (
                        <div className="row">
                          <Action onAct={() => set(toolId, suspendedAt !== null || !allowed)}>
                            {allowed && suspendedAt === null ? agentsTexts.refuse : agentsTexts.grant}
                          </Action>
                          <Action onAct={() => revoke(toolId)}>{agentsTexts.revoke}</Action>
                        </div>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      {isActive && <Grant agent={agent} known={tools.data ?? []} onGrant={(toolId) => set(toolId, true)} />}
    </section>
  );
}

interface GrantProps {
  agent: shapes.AiLenser;
  known: readonly shapes.AgentTool[];
  onGrant: (toolId: string) => Promise<void>;
}

function Grant({ agent, known, onGrant }: GrantProps) {
  const { client } = useConsole();
  const others = useQuery({
    queryKey: ['agents', 'own', agent.owner.id],
    queryFn: async () => (await client.agents.list({ owner: agent.owner.id, limit: 100 })).items,
  });
  const external = useQuery({
    queryKey: ['mcp-tools'],
    queryFn: async (): Promise<shapes.McpTool[]> => {
      const servers = await client.mcpServers.listMcpServers({ limit: 50 });
      const lists = await Promise.all(
        servers.items.map(({ id }) => client.mcpServers.listMcpTools(id, { limit: 100 })),
      );
      return lists.flatMap(({ items }) => items).filter(({ allowed }) => allowed);
    },
  });
  const isNew = (toolId: string): boolean => !known.some((each) => each.toolId === toolId);
  const groups: { name: string; ids: string[] }[] = [
    ...toolGroups.map((group) => ({
      name: agentsTexts.groups[group],
      ids: [...platformTools[group]],
    })),
    {
      name: agentsTexts.groups.lensers,
      ids: others.data?.filter(({ id }) => id !== agent.id).map(({ handle }) => `agent:${handle}`) ?? [],
    },
    { name: agentsTexts.groups.servers, ids: external.data?.map(({ toolId }) => toolId) ?? [] },
  ];
  return (
    <Form onSend={(values) => onGrant(readField(values, 'tool'))} action={agentsTexts.grant}>
      <SelectField label={agentsTexts.tool} name="tool" required>
        {groups.map(
          ({ name, ids }) =>
            ids.some(isNew) && (
              <optgroup key={name} label={name}>
                {ids.filter(isNew).map((id) => (
                  <option key={id}>{id}</option>
                ))}
              </optgroup>
            ),
        )}
      </SelectField>
      <p className="quiet">
        <Link to="/agents" search={{ tab: 'servers' }}>
          {agentsTexts.registerServer}
        </Link>
      </p>
    </Form>
  );
}
