import { type McpRefreshRef, finishMcpRefresh, isPendingMcpRefresh, mcpConnection } from '@lensforge/agents';
import type { Context } from '@lensforge/core';
import { isTransient, withDbRetry } from '@lensforge/database';
import type { McpClient } from './mcp-client.js';
import { faultMessage, isOfServer } from './mcp-fault.js';
import { type ToolList, readTools } from './read-tools.js';

export interface McpRefreshesParts {
  client: McpClient;
  log: { warn(details: object, message: string): void };
}

const maxMessage = 1000;

/** Reads the lists of tools of MCP servers. The gateway reads the result from the row of the server. */
export class McpRefreshes {
  constructor(private readonly parts: McpRefreshesParts) {}

  /** A repeated call has no effect once the refresh has ended. */
  async run(ctx: Context, ref: McpRefreshRef): Promise<void> {
    if (!(await withDbRetry(() => isPendingMcpRefresh(ctx, ref)))) return;
    const connection = await withDbRetry(() => mcpConnection(ctx, ref.serverId));
    if (!connection) {
      const message = 'The MCP server was disabled before its tools were read';
      return finishMcpRefresh(ctx, { ...ref, status: 'failed', message });
    }
    try {
      const { result, redact } = await this.parts.client.call({
        connection,
        protocolVersion: undefined,
        checksIssuer: true,
        work: async (session) => ({ list: await readTools(session), protocolVersion: session.protocolVersion }),
      });
      const { list, protocolVersion } = result;
      const message = redact(summary(list)).slice(0, maxMessage);
      await finishMcpRefresh(ctx, {
        ...ref,
        status: 'succeeded',
        message,
        ...(protocolVersion !== undefined && { protocolVersion }),
        tools: list.tools,
      });
    } catch (reason) {
      if (!isOfServer(reason) && isTransient(reason)) throw reason;
      if (!isOfServer(reason))
        this.parts.log.warn({ err: reason, ...ref }, 'the tools of an MCP server could not be read');
      const message = isOfServer(reason) ? faultMessage(reason) : 'The tools could not be read';
      await finishMcpRefresh(ctx, { ...ref, status: 'failed', message: message.slice(0, maxMessage) });
    }
  }
}

function summary({ tools, leftOut }: ToolList): string {
  const read = tools.length === 1 ? 'Read 1 tool' : `Read ${tools.length} tools`;
  return leftOut.length === 0 ? read : `${read}; left out: ${leftOut.join(', ')}`;
}
