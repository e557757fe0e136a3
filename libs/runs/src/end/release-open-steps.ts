import type { Context } from '@lensforge/core';
import { settleCredits } from '@lensforge/credits';
import { type StepRef, toStepPart } from '../step-ref.js';
import { countDelivered } from './count-delivered.js';
import { type HoldTerms, deliveredBy } from './delivered-text.js';

interface OpenStep extends StepRef {
  hold: number;
  terms: HoldTerms | null;
}

/**
 * Settles the holds of requests without an answer, in the transaction in which their node ends: the text that they have
 * streamed is charged if `charges`, and the rest is released.
 */
export async function releaseOpenSteps(
  ctx: Context,
  runId: string,
  nodeKey: string,
  { charges }: { charges: boolean },
): Promise<void> {
  const open = await ctx.db.query<OpenStep[]>(
    `select path, step, reserved_credits::float8 as hold, hold_terms as terms from agent_steps
      where run_id = $1 and node_key = $2 and reserved_credits > 0`,
    [runId, nodeKey],
  );
  await ctx.db.query(
    'update agent_steps set reserved_credits = 0 where run_id = $1 and node_key = $2 and reserved_credits > 0',
    [runId, nodeKey],
  );
  for (const { path, step, hold, terms } of open.sort((one, other) =>
    toStepPart(nodeKey, one) < toStepPart(nodeKey, other) ? -1 : 1,
  )) {
    const source = { runId, nodeKey, step: { path, step } };
    const delivered = charges && terms ? await deliveredBy(ctx, source, { terms, hold }) : undefined;
    if (delivered) await countDelivered(ctx, { runId, nodeKey }, delivered);
    await settleCredits(ctx, { runId, part: toStepPart(nodeKey, { path, step }), cost: delivered?.cost ?? 0 });
  }
}
