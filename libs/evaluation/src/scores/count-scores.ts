import { type ReleaseGrouping, statisticsLimits } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { Moments } from '../statistics/moments.js';

const momentsOf = `(count(*) filter (where score is not null))::int as count, coalesce(sum(score), 0) as sum,
       coalesce(sum(score * score), 0) as squares, (count(*) filter (where error is not null))::int as errors`;

interface OfTarget {
  accountId: string;
  /** The lens or workflow. */
  targetId: string;
  from: Date;
  to: Date;
}

export type CountedScores = Moments & { name: string; errors: number };

/** The scores of a lens or workflow in parts of a range. The newest ones are counted. */
export async function countScoresByTime(
  { db }: Context,
  {
    accountId,
    targetId,
    from,
    to,
    ms,
    label,
    name,
  }: OfTarget & { ms: number; label: string | null; name: string | null },
): Promise<{ counts: (CountedScores & { number: number })[]; truncated: boolean }> {
  const rows = await db.query<(CountedScores & { number: number; found: number })[]>(
    `with found as materialized (
            select name, score, error, created_at from run_scores
             where account_id = $1 and target_id = $2 and created_at >= $3 and created_at < $4 and not of_experiment
               and ($5::text is null or label = $5) and ($6::text is null or name = $6)
             order by created_at desc limit $7::int + 1)
     select name, floor(extract(epoch from created_at - $3::timestamptz) * 1000 / $8::float8)::int as number,
            (select count(*)::int from found) as found, ${momentsOf}
       from (select * from found limit $7::int) newest group by 1, 2 order by 1, 2`,
    [accountId, targetId, from, to, label, name, statisticsLimits.runs, ms],
  );
  return { counts: rows, truncated: (rows[0]?.found ?? 0) > statisticsLimits.runs };
}

const groupings: Readonly<Record<ReleaseGrouping, string>> = {
  version: 'null::text as label, version_id',
  label: 'label, null::uuid as version_id',
  arm: 'label, version_id',
};

/** The scores of the runs of a lens or workflow by version, label or arm; of runs that were accepted in a range. */
export const countScoresByRelease = (
  { db }: Context,
  { accountId, targetId, from, to, by }: OfTarget & { by: ReleaseGrouping },
): Promise<(CountedScores & { label: string | null; versionId: string | null })[]> =>
  db.query(
    `select name, label, version_id as "versionId", ${momentsOf}
       from (select name, score, error, ${groupings[by]} from run_scores
              where account_id = $1 and target_id = $2 and created_at >= $3 and not of_experiment
                and run_id >= first_id_of($3) and run_id < first_id_of($4)
              order by created_at desc limit $5::int) found
      group by 1, 2, 3 order by 1`,
    [accountId, targetId, from, to, statisticsLimits.runs],
  );

/** The scores with a name that runs of a label got between two moments, of runs accepted since it moved. */
export const listScoresOfLabel = (
  { db }: Context,
  of: { accountId: string; targetId: string; label: string; name: string; since: Date; after: Date; upTo: Date },
): Promise<{ versionId: string; score: number }[]> =>
  db.query(
    `select version_id as "versionId", score from run_scores
      where account_id = $1 and target_id = $2 and label = $3 and name = $4 and score is not null and not of_experiment
        and run_id >= first_id_of($5) and created_at >= $6::timestamptz + interval '1 millisecond'
        and created_at < $7::timestamptz + interval '1 millisecond'
      order by created_at, id`,
    [of.accountId, of.targetId, of.label, of.name, of.since, of.after, of.upTo],
  );
