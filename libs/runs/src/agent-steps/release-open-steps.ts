import type { Context } from '@lensforge/core';
import { settlePart } from '../nodes/reserve-for-node.js';
import type { StepRef } from './agent-step.js';
import { partOf } from './agent-step.js';

/** Releases the holds of requests without an answer, in the transaction in which their node ends. */
export async function releaseOpenSteps(ctx: Context, runId: string, nodeKey: string): Promise<void> {
  const [open] = await ctx.db.query<[StepRef[], number]>(
    `update agent_steps set reserved_credits = 0 where run_id = $1 and node_key = $2 and reserved_credits > 0
      returning path, step`,
    [runId, nodeKey],
  );
  const parts = open.map((step) => partOf(nodeKey, step)).sort();
  for (const part of parts) await settlePart(ctx, runId, part, 0);
}
