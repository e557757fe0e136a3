import type { Context } from '@lensforge/core';

/** A tool as the dispatcher sees it. */
export interface Tool {
  readonly name: string;
  /** What tools/list says of it. */
  readonly listed: Readonly<Record<string, unknown>>;
  /** Answers a CallToolResult; what a caller did wrong is a result too, never a throw. */
  readonly call: (ctx: Context, args: unknown) => Promise<object>;
}

export const tools: readonly Tool[] = [];
