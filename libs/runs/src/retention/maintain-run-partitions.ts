import type { Context } from '@lensforge/core';
import { codeOf, inTransaction } from '@lensforge/database';

export interface Retention {
  /** 0: for ever. */
  days: number;
  /** How long a change of tables waits for those who use them; then it is left for the next round. */
  lockMs: number;
  /** Rows outside of any month are deleted so many at a time. */
  page: number;
}

export interface PartitionMaintenance {
  made: string[];
  dropped: string[];
  deleted: number;
  /** What stood in the way; it is tried again in the next round. */
  left: { part: string; reason: string }[];
}

const monthsAhead = 3;
const mostPages = 50;

/**
 * Makes the parts of the months to come and drops those of months that nobody has to keep, with all that their runs have
 * left. A month in which a run has not ended stays. Each change is a short transaction of its own, of one process at a time.
 */
export async function maintainRunPartitions(ctx: Context, retention: Retention): Promise<PartitionMaintenance> {
  const tended: PartitionMaintenance = { made: [], dropped: [], deleted: 0, left: [] };
  for (const { parent, month, part } of await missingParts(ctx)) {
    await attempt(ctx, retention, tended, part, async ({ db }) => {
      const [row] = await db.query<[{ made: boolean }]>('select make_run_partition($1, $2) as made', [parent, month]);
      if (row.made) tended.made.push(part);
    });
  }
  if (retention.days === 0) return tended;
  for (const month of await oldMonths(ctx, retention.days)) {
    await attempt(ctx, retention, tended, `runs_${month}`, async ({ db }) => {
      const [{ dropped }] = await db.query<[{ dropped: string[] | null }]>('select drop_run_month($1) as dropped', [
        month,
      ]);
      if (dropped) tended.dropped.push(...dropped);
      else tended.left.push({ part: `runs_${month}`, reason: 'a run in it has not ended' });
    });
  }
  tended.deleted = await deleteOthers(ctx, retention);
  return tended;
}

interface MissingPart {
  parent: string;
  month: Date;
  part: string;
}

const missingParts = (ctx: Context): Promise<MissingPart[]> =>
  ctx.db.query<MissingPart[]>(
    `select parent, month, part
       from tables_by_month() parent, generate_series(-1, $1::int) n,
            lateral (select date_trunc('month', now(), 'UTC') + n * interval '1 month' as month) m,
            lateral (select parent || '_' || to_char(month at time zone 'UTC', 'YYYYMM') as part) p
      where to_regclass(part) is null order by n, parent`,
    [monthsAhead],
  );

/** Months older than the retention, the oldest first. */
async function oldMonths(ctx: Context, days: number): Promise<string[]> {
  const rows = await ctx.db.query<{ month: string }[]>(
    `select distinct right(c.relname, 6) as month
       from tables_by_month() parent join pg_inherits i on i.inhparent = to_regclass(parent) join pg_class c on c.oid = i.inhrelid
      where c.relname ~ '^[a-z_]+_[0-9]{6}$'
        and to_timestamp(right(c.relname, 6) || '01 +00', 'YYYYMMDD TZH') + interval '1 month' <= now() - $1 * interval '1 day'
      order by month`,
    [days],
  );
  return rows.map(({ month }) => month);
}

/** What lies in no month goes page by page, with everything of its runs. */
async function deleteOthers(ctx: Context, { days, page }: Retention): Promise<number> {
  const parents = await ctx.db.query<{ parent: string }[]>('select parent from tables_by_month() parent');
  let deleted = 0;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const count = await inTransaction(ctx, async ({ db }) => {
      const [rows] = await db.query<[{ id: string }[], number]>(
        `delete from runs_other where id = any (array(
           select id from runs_other where completed_at is not null and created_at < now() - $1 * interval '1 day'
            order by id limit $2 for update skip locked)) returning id`,
        [days, page],
      );
      const ids = rows.map(({ id }) => id);
      for (const { parent } of parents) {
        if (parent !== 'runs') await db.query(`delete from ${parent}_other where run_id = any ($1)`, [ids]);
      }
      return ids.length;
    });
    deleted += count;
    if (count < page) break;
  }
  return deleted;
}

/** Lock not available, and rows in the way of a new part: neither is worth stopping for. */
const passing: Readonly<Record<string, string>> = {
  '55P03': 'it is in use',
  '23514': 'rows of that month lie elsewhere already',
  '42P07': 'somebody else makes it',
};

async function attempt(
  ctx: Context,
  { lockMs }: Retention,
  tended: PartitionMaintenance,
  part: string,
  change: (ctx: Context) => Promise<void>,
): Promise<void> {
  try {
    await inTransaction(ctx, async (ctx) => {
      await ctx.db.query(`set local lock_timeout = ${Math.round(lockMs)}`);
      const [row] = await ctx.db.query<[{ mine: boolean }]>(
        `select pg_try_advisory_xact_lock(hashtextextended('lensforge run partitions', 0)) as mine`,
      );
      if (row.mine) await change(ctx);
    });
  } catch (error) {
    const reason = passing[codeOf(error) ?? ''];
    if (reason === undefined) throw error;
    tended.left.push({ part, reason });
  }
}
