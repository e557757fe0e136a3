import type { Context } from '@lensforge/core';
import type { Delivered } from './delivered-text.js';

/** Counts the use of a request that ended without an answer for its node and its run, whose row the caller has locked. */
export const countDelivered = (
  ctx: Context,
  { runId, nodeKey }: { runId: string; nodeKey: string },
  { tokenInput, tokenOutput, tokenDetails = null, cost }: Delivered,
): Promise<unknown> =>
  ctx.db.query(
    `with counted as (
       update node_results set cost_credits = cost_credits + $3, model_calls = model_calls + 1, tokens_used = tokens_used + $4 + $5
        where run_id = $1 and node_key = $2
     )
     update runs set spent_credits = spent_credits + $3, model_calls = model_calls + 1,
            token_input = coalesce(token_input, 0) + $4, token_output = coalesce(token_output, 0) + $5,
            token_details = add_counts(token_details, $6)
      where id = $1`,
    [runId, nodeKey, cost, tokenInput, tokenOutput, tokenDetails],
  );
