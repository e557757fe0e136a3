import type { Context } from '@lensforge/core';

/** A call of a tool that a model asked for. */
export interface MadeToolCall {
  runId: string;
  /** As the model names it. */
  name: string;
  toolId: string | null;
  input: unknown;
}

/** The calls of tools in runs, in their order. The caller checks access. */
export const readToolCalls = ({ db }: Context, runIds: readonly string[]): Promise<MadeToolCall[]> =>
  runIds.length === 0
    ? Promise.resolve([])
    : db.query<MadeToolCall[]>(
        `select run_id as "runId", name, tool_id as "toolId", input from agent_tool_calls
          where run_id = any ($1) order by run_id, node_key, path, step, position`,
        [runIds],
      );
