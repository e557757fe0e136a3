import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import type { StepUsage, StoredStep, StoredToolCall } from './agent-step.js';

const statement = preparedStatement(`
select s.path, s.step, s.text, s.reduced, s.token_input + s.token_output as tokens, s.active_ms as "activeMs",
       coalesce((select jsonb_agg(jsonb_build_object(
                   'position', c.position, 'callId', c.call_id, 'name', c.name, 'input', c.input, 'metadata', c.metadata,
                   'toolId', c.tool_id, 'state', c.state, 'approvalId', c.approval_id, 'result', c.result,
                   'isError', c.is_error) order by c.position)
                   from agent_tool_calls c
                  where c.run_id = s.run_id and c.node_key = s.node_key and c.path = s.path and c.step = s.step), '[]') as calls
  from agent_steps s where s.run_id = $1 and s.node_key = $2 and s.status = 'done' order by s.path, s.step`);

/** Reads the finished steps of all agents of a node, in order, and their consumption. */
export async function readSteps(
  ctx: Context,
  { runId, nodeKey }: { runId: string; nodeKey: string },
): Promise<{ steps: StoredStep[]; used: StepUsage }> {
  const rows = await ctx.db.query<(StoredStep & { calls: StoredToolCall[]; tokens: number; activeMs: number })[]>(
    statement,
    [runId, nodeKey],
  );
  const used = { steps: rows.length, tokens: 0, activeMs: 0 };
  for (const { tokens, activeMs } of rows) {
    used.tokens += tokens;
    used.activeMs += activeMs;
  }
  return { steps: rows.map(({ tokens: _, activeMs: __, ...step }) => step), used };
}
