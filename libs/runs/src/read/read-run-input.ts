import type { RunInput, RunKind } from '@lensforge/contracts';
import { type Context, isServiceRole, notFound, requireScope } from '@lensforge/core';
import { readableParams, scopeKindSql, scopeToRead } from '../access.js';

/** Reads what a run was started with. */
export async function readRunInput(ctx: Context, runId: string): Promise<Omit<RunInput, 'messages'>> {
  const [found] = await ctx.db.query<{ scopeKind: RunKind; input: Omit<RunInput, 'messages'> }[]>(
    `select ${scopeKindSql} as "scopeKind", jsonb_build_object(
              'runId', id, 'params', ${readableParams('runs')},
              'workflowVersionId', workflow_version_id, 'sampling', sampling, 'outputSchema', output_schema,
              'priority', priority, 'creditLimit', credit_limit, 'executionMs', execution_ms,
              'fundingSource', funding_source, 'traceId', nullif(split_part(traceparent, '-', 2), '')) as input
       from runs where id = $1 and (account_id = $2 or $3)`,
    [runId, ctx.actor.accountId, isServiceRole(ctx)],
  );
  if (!found) throw notFound('run', runId);
  requireScope(ctx, scopeToRead[found.scopeKind]);
  return found.input;
}
