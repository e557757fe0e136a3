import { createMcpServer, readableMcpServer } from '@lensforge/agents';
import type { NewMcpServer } from '@lensforge/agents';
import { ByokOpener } from '@lensforge/byok';
import { aKeyPair } from '@lensforge/byok/testing';
import type { McpServer } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId, platformActor } from '@lensforge/core';
import { openTestDatabase } from '@lensforge/database/testing';
import type { EgressPolicy } from '@lensforge/egress';
import { identityEntities } from '@lensforge/identity';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import type { ExternalToolResult } from '../../src/agents/external-tools.js';
import { AccessTokens } from '../../src/agents/mcp-client/access-tokens.js';
import { McpClient } from '../../src/agents/mcp-client/mcp-client.js';
import { McpRefreshes } from '../../src/agents/mcp-client/mcp-refreshes.js';
import { McpTools } from '../../src/agents/mcp-client/mcp-tools.js';
import { runWorkerPlatform } from '../../src/definition.js';

export interface McpSetup {
  /** A person. */
  ctx: Context;
  tools: McpTools;
  /** The log of unexpected failures. */
  warnings: object[];
  /** Registers a server of the person and reads its tools. */
  register(order: Partial<NewMcpServer> & { url: string }): Promise<McpServer>;
  refresh(server: Pick<McpServer, 'id'>): Promise<McpServer>;
  call(
    server: Pick<McpServer, 'name'>,
    tool: string,
    input?: unknown,
    signal?: AbortSignal,
  ): Promise<ExternalToolResult>;
  close(): Promise<void>;
}

/** A database and the client of a worker, with the egress that it has when the operator opens loopback addresses. */
export async function anMcpSetup({
  timeoutMs = 20_000,
  policy = { allowPrivate: true, allowHttp: true, ports: 'any' },
}: { timeoutMs?: number; policy?: Partial<EgressPolicy> } = {}): Promise<McpSetup> {
  const database = await openTestDatabase({ entities: [...runWorkerPlatform.entities, ...identityEntities] });
  const opener = new ByokOpener(await aKeyPair(database.ctx));
  const ctx = actingAs(database.ctx, (await anAccount(database.ctx)).id);
  const { egressFetch, egressPolicy } = await import('@lensforge/egress');
  const fetch = egressFetch(egressPolicy({ totalMs: timeoutMs, readBytes: 4 * 1024 * 1024, ...policy }));
  const client = new McpClient({
    tokens: new AccessTokens(database.ctx, opener),
    egress: () => Promise.resolve(fetch),
    timeoutMs,
  });
  const warnings: object[] = [];
  const refreshes = new McpRefreshes({ client, log: { warn: (details) => void warnings.push(details) } });
  const tools = new McpTools(client);
  const refresh = async ({ id: serverId }: Pick<McpServer, 'id'>): Promise<McpServer> => {
    const [row] = await ctx.db.query<[{ refreshId: string }]>(
      'select refresh_id as "refreshId" from mcp_servers where id = $1',
      [serverId],
    );
    await refreshes.run({ ...ctx, actor: platformActor }, { serverId, refreshId: row.refreshId });
    return readableMcpServer(ctx, serverId);
  };
  return {
    ctx,
    tools,
    warnings,
    refresh,
    register: async (order) => refresh(await createMcpServer(ctx, { name: `s-${newId().slice(-12)}`, ...order })),
    call: ({ name: connector }, name, input = {}, signal = new AbortController().signal) =>
      tools.call(ctx, { connector, name }, input, { idempotencyKey: newId(), signal }),
    close: async () => {
      await fetch.close();
      await database.close();
    },
  };
}
