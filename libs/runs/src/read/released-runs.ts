import type { Context } from '@lensforge/core';

/** A run of a label that has ended and was not canceled. */
export interface ReleasedRun {
  versionId: string;
  /** It failed or timed out. */
  failed: boolean;
  ms: number;
  credits: number;
}

interface LabelOfRuns {
  accountId: string;
  /** The lens or workflow. */
  targetId: string;
  label: string;
  limit: number;
}

const ofLabel = `account_id = $1 and coalesce(workflow_id, lens_id) = $2 and label = $3 and status <> 'canceled'`;
const failed = `status in ('failed', 'timed_out') as failed`;

/** The runs of a label that ended after a moment, in that order, and the moment up to which they are complete. */
export async function listReleasedRuns(
  { db }: Context,
  { accountId, targetId, label, after, limit }: LabelOfRuns & { after: Date },
): Promise<{ runs: ReleasedRun[]; upTo: Date }> {
  // A statement that ends runs is visible within this time.
  const [{ settled } = { settled: after }] = await db.query<{ settled: Date }[]>(
    `select greatest(date_trunc('milliseconds', now() - interval '5 seconds'), $1::timestamptz) as settled`,
    [after],
  );
  const rows = await db.query<(ReleasedRun & { at: Date })[]>(
    `select coalesce(workflow_version_id, lens_version_id) as "versionId", ${failed},
            coalesce(extract(epoch from completed_at - started_at) * 1000, 0)::float8 as ms,
            coalesce(credit_cost, 0)::float8 as credits, date_trunc('milliseconds', completed_at) as at
       from runs
      where ${ofLabel} and completed_at >= $4::timestamptz + interval '1 millisecond'
        and completed_at < $5::timestamptz + interval '1 millisecond'
      order by date_trunc('milliseconds', completed_at) fetch first ($6::int) rows with ties`,
    [accountId, targetId, label, after, settled, limit],
  );
  const last = rows.at(-1);
  const upTo = last && rows.length >= limit ? last.at : settled;
  return { runs: rows.map(({ at: _, ...run }) => run), upTo };
}

/** The runs of a version under a label that ended before a moment, the newest first. */
export const listReleasedBefore = (
  { db }: Context,
  { accountId, targetId, label, versionId, before, limit }: LabelOfRuns & { versionId: string; before: Date },
): Promise<Pick<ReleasedRun, 'failed'>[]> =>
  db.query(
    `select ${failed} from runs
      where ${ofLabel} and completed_at < $4 and coalesce(workflow_version_id, lens_version_id) = $5
      order by completed_at desc limit $6`,
    [accountId, targetId, label, before, versionId, limit],
  );
