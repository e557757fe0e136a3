import { externalToolId } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { isIdempotent } from './list-mcp-tools.js';

export interface ToolPin {
  serverId: string;
  /** The digest of the tool that the owner agrees to. */
  digest: Buffer;
}

/** Pins a tool of a server of the owner for a grant. The server stays locked, so that a refresh cannot miss the grant. */
export async function pinTool({ db }: Context, ownerId: string, toolId: string): Promise<ToolPin> {
  const [, connector = '', name = ''] = externalToolId.exec(toolId) ?? [];
  const [server] = await db.query<{ id: string; isAllowed: boolean }[]>(
    `select id, allowed_tools is null or $3 = any (allowed_tools) as "isAllowed"
       from mcp_servers where account_id = $1 and name = $2 for share`,
    [ownerId, connector, name],
  );
  if (!server) throw badInput('toolId', `names the MCP server ${connector}, which you have not registered`);
  if (!server.isAllowed) throw badInput('toolId', `is not among allowedTools of the MCP server ${connector}`);
  const [tool] = await db.query<{ digest: Buffer }[]>(
    'select digest from mcp_tools where server_id = $1 and name = $2',
    [server.id, name],
  );
  if (!tool)
    throw badInput('toolId', `is not in the list of tools of ${connector}: refresh the server, or check the name`);
  return { serverId: server.id, digest: tool.digest };
}

/** SQL joins for the tool `m` of the server `s`, enabled and not suspended, that a grant `t` names, if the server allows the tool. */
export const joinTool = (owner: string, join: string): string =>
  `${join} mcp_servers s on s.id = t.mcp_server_id and s.enabled and s.offered_issuer is null and s.account_id = ${owner}
   ${join} mcp_tools m on m.server_id = s.id and m.name = substring(t.tool_id from length(s.name) + 6)
     and (s.allowed_tools is null or m.name = any (s.allowed_tools))`;

export interface GrantedMcpTool {
  toolId: string;
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  idempotent: boolean;
}

/** The tools of external servers that an AI lenser may use now, as its owner agreed to them. */
export const grantedMcpTools = ({ db }: Context, agentId: string): Promise<GrantedMcpTool[]> =>
  db.query<GrantedMcpTool[]>(
    `select t.tool_id as "toolId", m.name, m.definition ->> 'description' as description,
            m.definition -> 'inputSchema' as "inputSchema", ${isIdempotent} as idempotent
       from agent_tools t join accounts a on a.id = t.agent_id ${joinTool('a.owner_account_id', 'join')}
      where t.agent_id = $1 and t.allowed and t.suspended_at is null and m.digest = t.pinned_digest
      order by t.tool_id`,
    [agentId],
  );
