import type { Context } from '@lensforge/core';

export interface RecordRetention {
  /** Retention of operations; 0 means forever. */
  days: number;
  limit: number;
}

/** The time during which an unused group stream can be resumed. */
const streamHours = 24;
const partDays = 7;

/** Deletes a page of expired read tokens, group streams and operations; returns the number of rows. */
export async function deleteExpiredRunRecords({ db }: Context, { days, limit }: RecordRetention): Promise<number> {
  const statements: [string, unknown[]][] = [
    [
      `delete from run_read_tokens where hash = any (array(
         select hash from run_read_tokens where expires_at < now() order by expires_at limit $1))`,
      [limit],
    ],
    [
      `delete from run_streams where id = any (array(
         select id from run_streams where used_at < now() - $2 * interval '1 hour' order by used_at limit $1 for update skip locked))`,
      [Math.ceil(limit / 100), streamHours],
    ],
    [
      `delete from run_stream_ranges where (stream_id, position) in (
         select stream_id, position from run_stream_ranges where written_at < now() - $2 * interval '1 day' order by written_at limit $1)`,
      [limit, partDays],
    ],
    ...(days === 0
      ? []
      : ([
          [
            `delete from run_operations where id = any (array(
               select id from run_operations where completed_at < now() - $2 * interval '1 day' order by completed_at limit $1))`,
            [limit, days],
          ],
        ] satisfies [string, unknown[]][])),
  ];
  let deleted = 0;
  for (const [sql, parameters] of statements) {
    const [, count] = await db.query<[unknown, number]>(sql, parameters);
    deleted += count;
  }
  return deleted;
}
