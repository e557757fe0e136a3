import { type McpAuthorizationJob, type McpServerJob, jobs } from '@lensforge/contracts';
import { deleteFromOutbox } from '@lensforge/database';
import { Platform, platformContext } from '@lensforge/edge';
import { Handles, type JobContext } from '@lensforge/queue';
import { Controller } from '@nestjs/common';
import type { RunWorkerEnvironment } from '../environment.js';
import { McpAuthorizations } from './mcp-client/mcp-authorizations.js';
import { McpRefreshes } from './mcp-client/mcp-refreshes.js';

/** Reads the tools of external MCP servers, and authorizes such servers. */
@Controller()
export class McpJobs {
  constructor(
    private readonly platform: Platform<RunWorkerEnvironment>,
    private readonly refreshes: McpRefreshes,
    private readonly authorizations: McpAuthorizations,
  ) {}

  @Handles(jobs.refreshMcpServer)
  async refresh(
    { mcpServerId: serverId, refreshId, outboxId }: McpServerJob,
    { requestId, traceparent }: JobContext,
  ): Promise<void> {
    const ctx = { ...platformContext(this.platform), requestId, traceparent };
    await this.refreshes.run(ctx, { serverId, refreshId });
    await deleteFromOutbox(ctx.db, [outboxId]);
  }

  @Handles(jobs.authorizeMcpServer)
  async authorize(
    { authorizationId, outboxId }: McpAuthorizationJob,
    { requestId, traceparent }: JobContext,
  ): Promise<void> {
    const ctx = { ...platformContext(this.platform), requestId, traceparent };
    await this.authorizations.run(ctx, authorizationId);
    await deleteFromOutbox(ctx.db, [outboxId]);
  }
}
