/**
 * The SQL that adds to what running runs have spent, for a CTE of the statement that stores the reason. `source` is another
 * CTE with the columns run_id, input and output (tokens), details, cost and calls; its statement has locked the runs. Every end of a
 * run charges the sum.
 */
export const spendOnRuns = (source: string): string => `
  update runs r
     set spent_credits = r.spent_credits + s.cost, token_input = coalesce(r.token_input, 0) + s.input,
         token_output = coalesce(r.token_output, 0) + s.output,
         token_details = add_counts(r.token_details, s.details), model_calls = r.model_calls + s.calls
    from ${source} s where r.id = any (array(select run_id from ${source})) and r.id = s.run_id`;
