import type { Context } from '@lensforge/core';
import { mayCall } from './may-call.js';
import type { Tool, ToolClass, ToolResult } from './tool.js';
import { codeIn, refusal } from './tool-errors.js';

/** What is told of a call afterwards: never its arguments, never its answer. */
export interface CallNote {
  readonly ctx: Context;
  readonly session?: string;
  readonly tool: string;
  readonly class: ToolClass;
  /** `ok`, the code of a tool error, `abandoned` when nobody waited any more, `fault` when it broke. */
  readonly outcome: string;
  readonly durationMs: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly session?: string;
  readonly onCall?: (note: CallNote) => void;
}

const abandoned = refusal('THROTTLED', 'The client went away before the call began, so it was not carried out');

export async function callTool(
  ctx: Context,
  tool: Tool,
  args: unknown,
  { signal, session, onCall }: CallOptions,
): Promise<ToolResult> {
  const begun = performance.now();
  let outcome = 'fault';
  try {
    if (signal?.aborted) {
      outcome = 'abandoned';
      return abandoned;
    }
    const result = mayCall(ctx.actor, tool) ?? (await tool.call(ctx, args));
    outcome = signal?.aborted ? 'abandoned' : (codeIn(result) ?? 'ok');
    return result;
  } finally {
    const durationMs = performance.now() - begun;
    onCall?.({
      ctx,
      tool: tool.name,
      class: tool.class,
      outcome,
      durationMs,
      ...(session !== undefined && { session }),
    });
  }
}
