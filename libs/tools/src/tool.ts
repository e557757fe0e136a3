import { type AccountRateClass, type Rated, type Scope, type Shape, jsonSchema, parse } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type ArgumentNames, type ToolErrorCode, toRefusal } from './tool-errors.js';
import { NeedsAnswers, type ToolClient, plainClient } from './tool-client.js';
import { type ToolResult, toToolResult } from './tool-result.js';

/** The effect of a tool: it reads, creates or changes, starts work, or deletes. */
export type ToolClass = 'Read' | 'Write' | 'Execute' | 'Destructive';

/** A tool for the dispatcher; the keys of `rateWith` are arguments. */
export interface Tool extends Rated<AccountRateClass> {
  readonly name: string;
  readonly class: ToolClass;
  /** The scope that opaque tokens need. */
  readonly scope: Scope;
  /** Time that a call may take in addition to the usual response timeout. */
  readonly waitsMs?: number;
  /** The entry of the tool in tools/list. */
  readonly listed: Readonly<Record<string, unknown>>;
  /** The error codes of this tool; every tool can also answer BAD_INPUT for invalid arguments and THROTTLED. */
  readonly errors: readonly ToolErrorCode[];
  /** Runs the tool. Errors of the caller are results; it does not throw them. */
  readonly call: (ctx: Context, args: unknown, client?: ToolClient) => Promise<ToolResult>;
  /** The task that carries on the work of a successful call, by its structuredContent; undefined when the work is done. */
  readonly toTaskId?: (result: object) => string | undefined;
}

export interface ToolDefinition<A extends object, R extends object> extends Rated<AccountRateClass> {
  readonly name: string;
  readonly class: ToolClass;
  readonly title: string;
  /** Tells a model when to use the tool and when to use another one. */
  readonly description: string;
  readonly scope: Scope;
  readonly args: Shape<A>;
  /** The shape of structuredContent. */
  readonly result: Shape<R>;
  /** The JSON of the text content, where it differs from the result. */
  readonly text?: (result: R, args: A) => object;
  readonly errors?: readonly ToolErrorCode[];
  /** Time that a call may take in addition to the usual response timeout. */
  readonly waitsMs?: number;
  /** Arguments with another name in the domain than theirs in camelCase. */
  readonly names?: ArgumentNames;
  /** True for a result that is the failure of the work. */
  readonly hasFailed?: (result: R) => boolean;
  /** The run that carries on the work; undefined when the work is done. */
  readonly toRunId?: (result: R) => string | undefined;
  readonly run: (ctx: Context, args: A, client: ToolClient) => Promise<R | NeedsAnswers>;
}

const annotations: Readonly<Record<ToolClass, Readonly<Record<string, boolean>>>> = {
  Read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  Write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  Execute: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  Destructive: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** Defines a tool: validates its arguments and returns its result as text and as structuredContent. */
export function tool<A extends object, R extends object>(definition: ToolDefinition<A, R>): Tool {
  const { name, title, description, args: shape, result, text, errors = [], names, scope, run } = definition;
  const { rate, rateWith, waitsMs, hasFailed, toRunId } = definition;
  return {
    name,
    class: definition.class,
    rate,
    ...(rateWith && { rateWith }),
    scope,
    ...(waitsMs !== undefined && { waitsMs }),
    errors,
    listed: {
      name,
      title,
      description,
      inputSchema: jsonSchema(shape),
      outputSchema: jsonSchema(result),
      annotations: { title, ...annotations[definition.class] },
    },
    ...(toRunId && { toTaskId: (answer: object) => toRunId(answer as R) }),
    call: async (ctx, args, client = plainClient) => {
      try {
        const parsed = parse(shape, args);
        const answer = await run(ctx, parsed, client);
        if (answer instanceof NeedsAnswers) return answer;
        return toToolResult(answer, {
          ...(text && { text: text(answer, parsed) }),
          hasFailed: hasFailed?.(answer) ?? false,
        });
      } catch (error) {
        return toRefusal(error, names);
      }
    },
  };
}
