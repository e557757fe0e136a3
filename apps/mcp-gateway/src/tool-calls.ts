import type { AccountRateClass } from '@lensforge/contracts';
import { rateClassOf } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { refuseWithoutPermission } from './tool-permission.js';
import type { Tool, ToolClass, ToolResult } from './tool.js';
import { codeIn, refusal } from './tool-errors.js';

/** What is told of a call afterwards: never its arguments, never its answer. */
export interface CallRecord {
  readonly ctx: Context;
  readonly session?: string;
  readonly tool: string;
  readonly class: ToolClass;
  /** `ok`, the code of a tool error, `abandoned` when nobody waited any more, `fault` when it broke. */
  readonly outcome: string;
  readonly durationMs: number;
}

/** Counts a call in a rate class of its account; answers undefined, or the limit and the seconds until there is room. */
export type CountCall = (rate: AccountRateClass) => Promise<{ limit: number; retryAfter: number } | undefined>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Absent where nothing is counted: over standard input and output. */
  readonly count?: CountCall;
  readonly session?: string;
  readonly onCall?: (note: CallRecord) => void;
}

const abandoned = refusal('THROTTLED', 'The client went away before the call began, so it was not carried out');

export async function callTool(
  ctx: Context,
  tool: Tool,
  args: unknown,
  { signal, session, count, onCall }: CallOptions,
): Promise<ToolResult> {
  const begun = performance.now();
  let outcome = 'fault';
  try {
    if (signal?.aborted) {
      outcome = 'abandoned';
      return abandoned;
    }
    const result = refuseWithoutPermission(ctx.actor, tool) ?? (await countAndCall(ctx, tool, args, count));
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

/** Classes of calls that change nothing and cost little: they are counted while they are answered. */
const countedConcurrently: readonly AccountRateClass[] = ['read', 'list'];

async function countAndCall(ctx: Context, tool: Tool, args: unknown, count?: CountCall): Promise<ToolResult> {
  const rate = rateClassOf(tool, args);
  const counted = count?.(rate).then((usedUp) => usedUp && throttled(tool, rate, usedUp));
  if (countedConcurrently.includes(rate)) {
    const [refused, result] = await Promise.all([counted, tool.call(ctx, args)]);
    return refused ?? result;
  }
  return (await counted) ?? tool.call(ctx, args);
}

const throttled = (
  { name }: Tool,
  rate: AccountRateClass,
  { limit, retryAfter }: { limit: number; retryAfter: number },
): ToolResult =>
  refusal(
    'THROTTLED',
    `${name} counts in the rate class ${rate}, and this account has made its ${limit} calls of this minute; ` +
      `try again in ${retryAfter} s`,
    { limit, retry_after: retryAfter },
  );
