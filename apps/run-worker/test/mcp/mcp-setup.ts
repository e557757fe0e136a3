import { type NewMcpServer, createMcpServer, readableMcpServer } from '@lensforge/agents';
import { ByokOpener } from '@lensforge/byok';
import { aKeyPair } from '@lensforge/byok/testing';
import type { McpServer } from '@lensforge/contracts';
import { type Context, newId, platformActor } from '@lensforge/core';
import { openTestDatabase } from '@lensforge/database/testing';
import type { EgressPolicy } from '@lensforge/egress';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import type { ExternalToolResult } from '../../src/agents/external-tools.js';
import { AccessTokens } from '../../src/agents/mcp-client/access-tokens.js';
import { McpAuthorizations } from '../../src/agents/mcp-client/mcp-authorizations.js';
import { McpClient } from '../../src/agents/mcp-client/mcp-client.js';
import { McpRefreshes } from '../../src/agents/mcp-client/mcp-refreshes.js';
import { McpTools } from '../../src/agents/mcp-client/mcp-tools.js';
import { aLegacyServer, aTool, listOf } from './test-server.js';

export interface TestMcpTools {
  tools: McpTools;
  /** The log of unexpected failures. */
  warnings: object[];
  /** Registers a server of the person and reads its tools. */
  register(order: Partial<NewMcpServer> & { url: string }): Promise<McpServer>;
  refresh(server: Pick<McpServer, 'id'>): Promise<McpServer>;
  /** Does the next step of the authorization of a server. */
  authorize(server: Pick<McpServer, 'id'>): Promise<McpServer>;
  call(
    server: Pick<McpServer, 'name'>,
    tool: string,
    input?: unknown,
    signal?: AbortSignal,
  ): Promise<ExternalToolResult>;
  close(): Promise<void>;
}

export interface McpSetup extends TestMcpTools {
  /** A person. */
  ctx: Context;
}

export interface McpOptions {
  timeoutMs?: number;
  policy?: Partial<EgressPolicy>;
}

/** A database with the client of a worker. */
export async function anMcpSetup(options: McpOptions = {}): Promise<McpSetup> {
  const database = await openTestDatabase();
  const ctx = actingAs(database.ctx, (await anAccount(database.ctx)).id);
  const mcp = await openTestMcpTools(ctx, options);
  const close = async (): Promise<void> => {
    await mcp.close();
    await database.close();
  };
  return { ...mcp, ctx, close };
}

/** The client of a worker for a person, with the egress that it has when the operator opens loopback addresses. */
export async function openTestMcpTools(
  ctx: Context,
  { timeoutMs = 20_000, policy = { allowPrivate: true, allowHttp: true, ports: 'any' } }: McpOptions = {},
): Promise<TestMcpTools> {
  const platform = { ...ctx, actor: platformActor };
  const opener = new ByokOpener(await aKeyPair(platform));
  const { egressFetch, egressPolicy } = await import('@lensforge/egress');
  const fetch = egressFetch(egressPolicy({ totalMs: timeoutMs, readBytes: 4 * 1024 * 1024, ...policy }));
  const client = new McpClient({
    tokens: new AccessTokens(platform, opener),
    egress: () => Promise.resolve(fetch),
    timeoutMs,
  });
  const warnings: object[] = [];
  const log = { warn: (details: object) => void warnings.push(details) };
  const refreshes = new McpRefreshes({ client, log });
  const tools = new McpTools(client);
  const refresh = async ({ id: serverId }: Pick<McpServer, 'id'>): Promise<McpServer> => {
    const [row] = await ctx.db.query<[{ refreshId: string }]>(
      'select refresh_id as "refreshId" from mcp_servers where id = $1',
      [serverId],
    );
    await refreshes.run(platform, { serverId, refreshId: row.refreshId });
    return readableMcpServer(ctx, serverId);
  };
  const authorizations = new McpAuthorizations({ opener, egress: () => Promise.resolve(fetch), timeoutMs, log });
  const authorize = async ({ id }: Pick<McpServer, 'id'>): Promise<McpServer> => {
    const [row] = await ctx.db.query<[{ id: string }]>('select id from mcp_authorizations where server_id = $1', [id]);
    await authorizations.run(platform, row.id);
    return readableMcpServer(ctx, id);
  };
  return {
    tools,
    warnings,
    refresh,
    authorize,
    register: async (order) => refresh(await createMcpServer(ctx, { name: `s-${newId().slice(-12)}`, ...order })),
    call: ({ name: connector }, name, input = {}, signal = new AbortController().signal) =>
      tools.call(ctx, { connector, name }, input, { idempotencyKey: newId(), signal }),
    close: () => fetch.close(),
  };
}

/** Registers a server with these tools for a person, so that they can be granted. It does not answer calls. */
export async function aRegisteredServer(ctx: Context, name: string, tools: readonly string[]): Promise<void> {
  const server = await aLegacyServer({ answers: listOf(...tools.map((tool) => aTool(tool))) });
  const mcp = await openTestMcpTools(ctx);
  await mcp.register({ name, url: server.url });
  await mcp.close();
  await server.close();
}
