import type { Context } from '@lensforge/core';
import { getErrorCode, inTransaction } from '@lensforge/database';

export interface Retention {
  /** Retention of runs; 0 means forever. */
  days: number;
  /** Lock timeout of a change of tables; after it the change is left for the next call. */
  lockMs: number;
  /** The number of rows of the default partitions to delete at a time. */
  page: number;
}

export interface PartitionMaintenance {
  made: string[];
  dropped: string[];
  deleted: number;
  /** Changes that failed, with the reason; the next call retries them. */
  left: { part: string; reason: string }[];
}

const monthsAhead = 3;
const maxPages = 50;

/**
 * Creates the partitions of the coming months and drops those past retention, for all tables of runs. A month with an open
 * run stays. Each change is a short transaction of its own; an advisory lock admits one process at a time.
 */
export async function maintainRunPartitions(ctx: Context, retention: Retention): Promise<PartitionMaintenance> {
  const result: PartitionMaintenance = { made: [], dropped: [], deleted: 0, left: [] };
  for (const { parent, month, part } of await missingParts(ctx)) {
    const reason = await attempt(ctx, retention, async ({ db }) => {
      const [row] = await db.query<[{ made: boolean }]>('select make_run_partition($1, $2) as made', [parent, month]);
      if (row.made) result.made.push(part);
    });
    if (reason) result.left.push({ part, reason });
  }
  if (retention.days === 0) return result;
  for (const month of await oldMonths(ctx, retention.days)) {
    const part = `runs_${month}`;
    const reason = await attempt(ctx, retention, async ({ db }) => {
      const [{ dropped }] = await db.query<[{ dropped: string[] | null }]>('select drop_run_month($1) as dropped', [
        month,
      ]);
      if (dropped) result.dropped.push(...dropped);
      else result.left.push({ part, reason: 'a run in it has not ended' });
    });
    if (reason) result.left.push({ part, reason });
  }
  result.deleted = await deleteFromDefault(ctx, retention);
  return result;
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

/** Returns the months past retention, oldest first. */
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

/** Deletes expired runs of the default partitions page by page, with all their rows. */
async function deleteFromDefault(ctx: Context, { days, page }: Retention): Promise<number> {
  const parents = await ctx.db.query<{ parent: string }[]>('select parent from tables_by_month() parent');
  let deleted = 0;
  for (let pages = 0; pages < maxPages; pages += 1) {
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

/** Errors by SQLSTATE after which the other changes continue. */
const tolerated: Readonly<Record<string, string>> = {
  '55P03': 'the table is in use',
  '23514': 'rows of that month are already in the default partition',
  '42P07': 'another process is creating it',
};

/** Makes a change; returns the reason when it is left to a later round. */
async function attempt(
  ctx: Context,
  { lockMs }: Retention,
  change: (ctx: Context) => Promise<void>,
): Promise<string | undefined> {
  try {
    await inTransaction(ctx, async (ctx) => {
      await ctx.db.query(`set local lock_timeout = ${Math.round(lockMs)}`);
      const [row] = await ctx.db.query<[{ locked: boolean }]>(
        `select pg_try_advisory_xact_lock(hashtextextended('lensforge run partitions', 0)) as locked`,
      );
      if (row.locked) await change(ctx);
    });
    return undefined;
  } catch (error) {
    const reason = tolerated[getErrorCode(error) ?? ''];
    if (reason === undefined) throw error;
    return reason;
  }
}
