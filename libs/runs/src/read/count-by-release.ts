import type { ReleaseGrouping } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { kindsFor } from '../access.js';
import { runsMatching } from './run-filter.js';

/** The runs of a version, label or arm that have ended. */
export interface ReleaseCount {
  label: string | null;
  versionId: string | null;
  succeeded: number;
  failed: number;
  canceled: number;
  p50Ms: number | null;
  p95Ms: number | null;
  tokenInput: number;
  tokenOutput: number;
  credits: number;
  creditsMean: number;
  creditsDeviation: number;
}

export interface ReleaseSelection {
  lensId?: string | undefined;
  workflowId?: string | undefined;
  by: ReleaseGrouping;
  from: string;
  to: string;
  /** The most runs that are counted. */
  limit: number;
}

const groupings: Readonly<Record<ReleaseGrouping, { label: string; version: string }>> = {
  version: { label: 'null::text', version: 'version_id' },
  label: { label: 'label', version: 'null::uuid' },
  arm: { label: 'label', version: 'version_id' },
};

const counted = (statuses: string): string => `(count(*) filter (where status in (${statuses})))::int`;

/** Counts the caller's runs of a lens or workflow that have ended, without those of experiments; the largest group first. */
export async function countByRelease(
  ctx: Context,
  { by, from: createdAfter, to: createdBefore, limit, ...target }: ReleaseSelection,
): Promise<{ counts: ReleaseCount[]; truncated: boolean }> {
  const { lensId, workflowId } = target;
  const columns = `r.id, r.status, r.completed_at - r.started_at as took, r.credit_cost, r.token_input, r.token_output, r.label,
       coalesce(r.workflow_version_id, r.lens_version_id) as version_id, r.cause`;
  const runs = runsMatching(columns, {
    accountId: ctx.actor.accountId,
    kinds: kindsFor(ctx, workflowId === undefined ? 'lens' : 'workflow'),
    filter: {
      ...(lensId !== undefined && { lensId }),
      ...(workflowId !== undefined && { workflowId }),
      status: ['succeeded', 'failed', 'timed_out', 'canceled'],
      createdAfter,
      createdBefore,
    },
    below: null,
    limit: limit + 1,
  });
  const columnsOf = groupings[by];
  const most = `$${runs.parameters.length + 1}`;
  const rows = await ctx.db.query<(ReleaseCount & { found: number })[]>(
    `with found as materialized (${runs.sql}),
          counted as (select *, extract(epoch from took) * 1000 as ms from (select * from found order by id desc limit ${most}::int) newest
                       where cause ->> 'kind' is distinct from 'experiment')
     select ${columnsOf.label} as label, ${columnsOf.version} as "versionId", (select count(*)::int from found) as found,
            ${counted("'succeeded'")} as succeeded, ${counted("'failed', 'timed_out'")} as failed, ${counted("'canceled'")} as canceled,
            (percentile_cont(0.5) within group (order by ms))::float8 as "p50Ms",
            (percentile_cont(0.95) within group (order by ms))::float8 as "p95Ms",
            coalesce(sum(token_input), 0)::float8 as "tokenInput", coalesce(sum(token_output), 0)::float8 as "tokenOutput",
            coalesce(sum(credit_cost), 0)::float8 as credits, coalesce(avg(credit_cost), 0)::float8 as "creditsMean",
            coalesce(stddev_samp(credit_cost), 0)::float8 as "creditsDeviation"
       from counted group by 1, 2 order by count(*) desc, 1, 2`,
    [...runs.parameters, limit],
  );
  return { counts: rows.map(({ found: _, ...row }) => row), truncated: (rows[0]?.found ?? 0) > limit };
}
