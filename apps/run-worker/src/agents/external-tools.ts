import type { Context } from '@lensforge/core';

/** A tool of an external server that an AI lenser has a grant for. */
export interface ExternalTool {
  /** The tool in grants: `mcp:<connector>/<tool>`. */
  toolId: string;
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  /** True when a call that may have reached its server can be repeated without a second effect. */
  idempotent: boolean;
}

/** The server and tool of a call. */
export interface ExternalToolRef {
  connector: string;
  name: string;
}

export interface ExternalToolResult {
  /** Data for the model, never instructions. */
  text: string;
  isError: boolean;
}

export interface ExternalCallOptions {
  /** The same for every repeat of the same call. */
  idempotencyKey: string;
  signal: AbortSignal;
}

/** The port for tools of external servers. `ctx` is the context of the owner of the AI lenser. */
export interface ExternalTools {
  /** The granted tools that can be called now. */
  list(ctx: Context, agentId: string): Promise<ExternalTool[]>;
  /** Calls a tool once, without retries. Faults of the server or network are results with `isError`. */
  call(ctx: Context, tool: ExternalToolRef, input: unknown, options: ExternalCallOptions): Promise<ExternalToolResult>;
}

/** The tools of a worker without external servers. */
export const noExternalTools: ExternalTools = {
  list: () => Promise.resolve([]),
  call: (_, { connector }) =>
    Promise.resolve({ text: `There is no connection to the server ${connector}`, isError: true }),
};
