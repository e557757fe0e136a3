import {
  type RunBucket,
  type RunStatistics,
  type RunStatisticsQuery,
  type StatisticsRange,
  statisticsLimits,
} from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { kindsFor } from '../access.js';
import { type RunQuery, clockTolerance, runsMatching } from './run-filter.js';

const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const columns =
  'r.id, r.status, r.created_at, r.started_at, r.completed_at, r.credit_cost, r.token_input, r.token_output, r.token_details';

/** Counts the caller's own runs over time, of the kinds that their scopes allow. */
export async function readRunStatistics(
  ctx: Context,
  { from, to, interval, kind, ...filter }: RunStatisticsQuery,
): Promise<RunStatistics> {
  const range = toRange({ from, interval, ...(to !== undefined && { to }) });
  const runs = runsMatching(columns, {
    accountId: ctx.actor.accountId,
    kinds: kindsFor(ctx, kind),
    filter: { ...filter, createdAfter: range.from.toISOString(), createdBefore: range.to.toISOString() },
    below: null,
    limit: statisticsLimits.runs + 1,
  });
  return countByTime(ctx, range, runs);
}

/** Counts the runs of all accounts over time. The caller checks access. */
export async function readAllRunStatistics(ctx: Context, query: StatisticsRange): Promise<RunStatistics> {
  const range = toRange(query);
  const sql = `select ${columns} from runs r
    where r.id >= first_id_of($1::timestamptz - ${clockTolerance}) and r.id < first_id_of($2::timestamptz + ${clockTolerance})
      and r.created_at >= $1::timestamptz and r.created_at < $2::timestamptz
    order by r.id desc limit $3::int`;
  return countByTime(ctx, range, { sql, parameters: [range.from, range.to, statisticsLimits.runs + 1] });
}

interface Range {
  from: Date;
  to: Date;
  /** Of a bucket, in ms. */
  length: number;
  interval: StatisticsRange['interval'];
}

/** The range from the start of its first bucket. Times before 1970 are no times of a run. */
export function toRange({ from, to, interval }: StatisticsRange): Range {
  const length = lengths[interval];
  const begin = Math.floor(Math.max(Date.parse(from.toUpperCase()), lengths.day) / length) * length;
  const end = to === undefined ? Date.now() : Date.parse(to.toUpperCase());
  if (end <= begin) throw badInput('to', 'must be later than from');
  const buckets = Math.ceil((end - begin) / length);
  if (buckets > statisticsLimits.buckets) {
    throw badInput(
      'from',
      `the range has ${buckets} buckets of a ${interval}; the limit is ${statisticsLimits.buckets}: ask for longer intervals or a shorter range`,
    );
  }
  return { from: new Date(begin), to: new Date(end), length, interval };
}

const sumOf = (kind: string): string => `coalesce(sum((token_details ->> '${kind}')::bigint), 0)`;

type Row = Omit<RunBucket, 'at'> & { number: number; found: number };

async function countByTime(
  ctx: Context,
  { from, to, length, interval }: Range,
  runs: RunQuery,
): Promise<RunStatistics> {
  const parameters = [...runs.parameters, from, length, statisticsLimits.runs];
  const [first, ms, most] = [2, 1, 0].map((before) => `$${parameters.length - before}`);
  const kinds = Object.keys(none.tokenDetails)
    .map((kind) => `'${kind}', ${sumOf(kind)}`)
    .join(', ');
  const counted = (status: string): string => `(count(*) filter (where status = '${status}'))::int`;
  const rows = await ctx.db.query<Row[]>(
    `with found as materialized (${runs.sql}),
          counted as (
            select *, extract(epoch from completed_at - started_at) * 1000 as took,
                   floor(extract(epoch from created_at - ${first}::timestamptz) * 1000 / ${ms}::int)::int as number
              from (select * from found order by id desc limit ${most}::int) newest)
     select number, (select count(*)::int from found) as found,
            ${counted('queued')} as queued, ${counted('running')} as running, ${counted('succeeded')} as succeeded,
            ${counted('failed')} as failed, ${counted('canceled')} as canceled, ${counted('timed_out')} as "timedOut",
            percentile_cont(0.5) within group (order by took)::float8 as "p50Ms",
            percentile_cont(0.95) within group (order by took)::float8 as "p95Ms",
            coalesce(sum(credit_cost), 0)::float8 as credits, coalesce(sum(token_input), 0)::float8 as "tokenInput",
            coalesce(sum(token_output), 0)::float8 as "tokenOutput", jsonb_build_object(${kinds}) as "tokenDetails"
       from counted group by number`,
    parameters,
  );
  const byNumber = new Map(rows.map(({ number, found: _, ...bucket }) => [number, bucket]));
  const buckets = Array.from({ length: Math.ceil((to.getTime() - from.getTime()) / length) }, (_, number) => ({
    at: new Date(from.getTime() + number * length).toISOString(),
    ...(byNumber.get(number) ?? none),
  }));
  const truncated = (rows[0]?.found ?? 0) > statisticsLimits.runs;
  return { from: from.toISOString(), to: to.toISOString(), interval, truncated, buckets };
}

const none: Omit<RunBucket, 'at'> = {
  queued: 0,
  running: 0,
  succeeded: 0,
  failed: 0,
  canceled: 0,
  timedOut: 0,
  p50Ms: null,
  p95Ms: null,
  credits: 0,
  tokenInput: 0,
  tokenOutput: 0,
  tokenDetails: { cachedInput: 0, cacheWrite: 0, reasoning: 0, creditsSaved: 0 },
};
