import { setTimeout as pause } from 'node:timers/promises';
import {
  beginMcpAuthorization,
  confirmMcpIssuer,
  createMcpServer,
  deleteMcpServer,
  finishMcpAuthorization,
  listMcpServers,
  listMcpTools,
  readableMcpServer,
  startMcpRefresh,
  updateMcpServer,
} from '@lensforge/agents';
import { type McpServer, type McpTool, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Platform, Serves } from '@lensforge/edge';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';
import { countedPageResponse, pageResponse, withOffset } from './page-response.js';

/** Time to wait for the list of tools; most servers answer sooner. */
const waitMs = 4000;
const pollMs = 100;

@Controller()
export class McpServersController {
  constructor(private readonly platform: Platform<GatewayEnvironment>) {}

  @Serves(endpoints.listMcpServers)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listMcpServers>,
  ): Promise<ListResponse<McpServer>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listMcpServers(ctx, query)));
  }

  @Serves(endpoints.createMcpServer)
  create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createMcpServer>): Promise<McpServer> {
    return createMcpServer(ctx, { ...body, limit: this.platform.environment.LENSFORGE_MCP_SERVERS_PER_ACCOUNT });
  }

  @Serves(endpoints.getMcpServer)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getMcpServer>): Promise<McpServer> {
    return withDbRetry(() => readableMcpServer(ctx, params.mcpServerId));
  }

  @Serves(endpoints.updateMcpServer)
  update(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.updateMcpServer>,
  ): Promise<McpServer> {
    return updateMcpServer(ctx, { ...body, serverId: params.mcpServerId });
  }

  @Serves(endpoints.deleteMcpServer)
  delete(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.deleteMcpServer>): Promise<McpServer> {
    return deleteMcpServer(ctx, params.mcpServerId);
  }

  @Serves(endpoints.refreshMcpServer)
  async refresh(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.refreshMcpServer>,
  ): Promise<McpServer> {
    await startMcpRefresh(ctx, params.mcpServerId);
    return serverWhen(ctx, params.mcpServerId, ({ refresh }) => refresh?.status !== 'pending');
  }

  @Serves(endpoints.authorizeMcpServer)
  async authorize(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.authorizeMcpServer>,
  ): Promise<McpServer> {
    await beginMcpAuthorization(ctx, { ...body, serverId: params.mcpServerId });
    return serverWhen(ctx, params.mcpServerId, ({ authorization }) => authorization?.status !== 'preparing');
  }

  @Serves(endpoints.finishMcpAuthorization)
  async finishAuthorization(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.finishMcpAuthorization>,
  ): Promise<McpServer> {
    await finishMcpAuthorization(ctx, { ...body, serverId: params.mcpServerId });
    return serverWhen(ctx, params.mcpServerId, ({ authorization }) => authorization?.status !== 'exchanging');
  }

  @Serves(endpoints.confirmMcpIssuer)
  confirmIssuer(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.confirmMcpIssuer>,
  ): Promise<McpServer> {
    return confirmMcpIssuer(ctx, { ...body, serverId: params.mcpServerId });
  }

  @Serves(endpoints.listMcpTools)
  async tools(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listMcpTools>,
  ): Promise<ListResponse<McpTool>> {
    const page = { ...withOffset(query), serverId: params.mcpServerId };
    return countedPageResponse(await readFromReplica(ctx, (ctx) => listMcpTools(ctx, page)));
  }
}

/** Reads a server until a worker has done its part, or for a few seconds. */
async function serverWhen(ctx: Context, id: string, isDone: (server: McpServer) => boolean): Promise<McpServer> {
  for (const until = performance.now() + waitMs; ;) {
    const server = await withDbRetry(() => readableMcpServer(ctx, id));
    if (isDone(server) || performance.now() >= until) return server;
    await pause(pollMs);
  }
}
