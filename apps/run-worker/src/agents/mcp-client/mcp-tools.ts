import { grantedMcpTools, mcpToolConnection } from '@lensforge/agents';
import { isRecord } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type {
  ExternalCallOptions,
  ExternalTool,
  ExternalToolRef,
  ExternalToolResult,
  ExternalTools,
} from '../external-tools.js';
import type { McpClient } from './mcp-client.js';
import { faultMessage, isOfServer } from './mcp-fault.js';
import { resultText } from './result-text.js';

/** Tools of external MCP servers, as their owners have agreed to them. */
export class McpTools implements ExternalTools {
  constructor(private readonly client: McpClient) {}

  list(ctx: Context, agentId: string): Promise<ExternalTool[]> {
    return withDbRetry(() => grantedMcpTools(ctx, agentId));
  }

  async call(
    ctx: Context,
    tool: ExternalToolRef,
    input: unknown,
    { idempotencyKey, signal }: ExternalCallOptions,
  ): Promise<ExternalToolResult> {
    const found = await withDbRetry(() => mcpToolConnection(ctx, tool));
    if (!found) return failed(`The MCP server ${tool.connector} is not connected, or does not allow the tool`);
    if (!isRecord(input)) return failed('The arguments must be a JSON object');
    const { inputSchema, ...connection } = found;
    try {
      const { result, redact } = await this.client.call({
        connection,
        protocolVersion: found.protocolVersion ?? undefined,
        signal,
        work: (session) => session.callTool({ name: tool.name, arguments: input, inputSchema, idempotencyKey }),
      });
      return { text: redact(resultText(result)), isError: result.isError === true };
    } catch (reason) {
      signal.throwIfAborted();
      if (!isOfServer(reason)) throw reason;
      return failed(faultMessage(reason));
    }
  }
}

const failed = (text: string): ExternalToolResult => ({ text, isError: true });
