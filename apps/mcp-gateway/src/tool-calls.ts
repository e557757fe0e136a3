import { type AccountRateClass, pickRateClass } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import {
  Refusal,
  type Tool,
  type ToolClass,
  type ToolClient,
  type ToolResult,
  codeIn,
  refuseWithoutPermission,
} from '@lensforge/tools';

/** The log entry of a call, without its arguments and its result. */
export interface CallRecord {
  readonly ctx: Context;
  readonly session?: string;
  readonly tool: string;
  readonly class: ToolClass;
  /** `ok`, the code of a tool error, `abandoned` when the client had disconnected, `fault` for an internal error. */
  readonly outcome: string;
  readonly durationMs: number;
}

/** Counts a call in a rate class of its account. Resolves with limit and delay in seconds when the class is used up. */
export type CountCall = (rate: AccountRateClass) => Promise<{ limit: number; retryAfter: number } | undefined>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Absent over stdio, where calls are not counted. */
  readonly count?: CountCall;
  readonly allowTime?: (ms: number) => void;
  readonly session?: string;
  readonly client?: ToolClient;
  readonly onCall?: (record: CallRecord) => void;
}

const abandoned = new Refusal('THROTTLED', 'The client disconnected before the call began, so it was not carried out');

export async function callTool(
  ctx: Context,
  tool: Tool,
  args: unknown,
  { signal, session, client, count, allowTime, onCall }: CallOptions,
): Promise<ToolResult> {
  const startedAt = performance.now();
  let outcome = 'fault';
  try {
    if (signal?.aborted) {
      outcome = 'abandoned';
      return abandoned;
    }
    if (tool.waitsMs !== undefined) allowTime?.(tool.waitsMs);
    const result = refuseWithoutPermission(ctx.actor, tool) ?? (await countAndCall(ctx, tool, { args, client }, count));
    outcome = signal?.aborted ? 'abandoned' : (codeIn(result) ?? 'ok');
    return result;
  } finally {
    const durationMs = performance.now() - startedAt;
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

/** Rate classes of cheap reads, which run while they are counted. */
const countedConcurrently: readonly AccountRateClass[] = ['read', 'list'];

async function countAndCall(
  ctx: Context,
  tool: Tool,
  { args, client }: { args: unknown; client: ToolClient | undefined },
  count?: CountCall,
): Promise<ToolResult> {
  const rate = pickRateClass(tool, args);
  const counted = count?.(rate).then((exceeded) => exceeded && throttled(tool, rate, exceeded));
  if (countedConcurrently.includes(rate)) {
    const [refused, result] = await Promise.all([counted, tool.call(ctx, args, client)]);
    return refused ?? result;
  }
  return (await counted) ?? tool.call(ctx, args, client);
}

const throttled = (
  { name }: Tool,
  rate: AccountRateClass,
  { limit, retryAfter }: { limit: number; retryAfter: number },
): ToolResult =>
  new Refusal(
    'THROTTLED',
    `${name} counts in the rate class ${rate}, and this account has made its ${limit} calls of this minute; ` +
      `try again in ${retryAfter} s`,
    { limit, retry_after: retryAfter },
  );
