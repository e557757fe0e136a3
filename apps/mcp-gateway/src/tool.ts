import type { AccountRateClass, Rated, Scope, Shape } from '@lensforge/contracts';
import { jsonSchema, parse } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { ToolErrorCode } from './tool-errors.js';
import { refusalOf } from './tool-errors.js';

/** What a call may do: look, make or change, bring about something outside of the record, take away. */
export type ToolClass = 'Read' | 'Write' | 'Execute' | 'Destructive';

export interface ToolResult {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: object;
  readonly isError?: boolean;
}

/** A tool as the dispatcher sees it; `rateWith` is about members of its arguments. */
export interface Tool extends Rated<AccountRateClass> {
  readonly name: string;
  readonly class: ToolClass;
  /** What organisation and service tokens must carry. */
  readonly scope: Scope;
  /** What tools/list says of it. */
  readonly listed: Readonly<Record<string, unknown>>;
  /** Its own errors. Any tool can answer BAD_INPUT (its arguments do not fit) and THROTTLED (its rate class is used up). */
  readonly errors: readonly ToolErrorCode[];
  /** What a caller did wrong is a result too, never a throw. */
  readonly call: (ctx: Context, args: unknown) => Promise<ToolResult>;
}

export interface ToolDefinition<A extends object, R extends object> extends Rated<AccountRateClass> {
  readonly name: string;
  readonly class: ToolClass;
  readonly title: string;
  /** When to use it and when not, for a model that has to choose. */
  readonly description: string;
  readonly scope: Scope;
  readonly args: Shape<A>;
  /** Left out where the answer is not always an object of one shape. */
  readonly result?: Shape<R>;
  readonly errors?: readonly ToolErrorCode[];
  readonly run: (ctx: Context, args: A) => Promise<R>;
}

const annotations: Readonly<Record<ToolClass, Readonly<Record<string, boolean>>>> = {
  Read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  Write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  Execute: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  Destructive: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** A tool of the catalogue: arguments through the one gate, the answer as text and, where it has a shape, as it is. */
export function tool<A extends object, R extends object>(definition: ToolDefinition<A, R>): Tool {
  const { name, title, description, args: shape, result: answerShape, errors = [], scope, run } = definition;
  const { rate, rateWith } = definition;
  return {
    name,
    class: definition.class,
    rate,
    ...(rateWith && { rateWith }),
    scope,
    errors,
    listed: {
      name,
      title,
      description,
      inputSchema: jsonSchema(shape),
      ...(answerShape && { outputSchema: jsonSchema(answerShape) }),
      annotations: { title, ...annotations[definition.class] },
    },
    call: async (ctx, args) => {
      try {
        const answer = await run(ctx, parse(shape, args));
        const content = [{ type: 'text', text: JSON.stringify(answer) }];
        return answerShape ? { content, structuredContent: answer } : { content };
      } catch (error) {
        return refusalOf(error);
      }
    },
  };
}
