import type { Context } from '@lensforge/core';

/** Each branch reads an index of the runs that have not ended. */
export async function hasOpenRuns(ctx: Context, accountId: string): Promise<boolean> {
  const [row] = await ctx.db.query<[{ open: boolean }]>(
    `select exists (select from runs
                     where account_id = $1 and status in ('queued', 'running') and admitted_at is not null)
         or exists (select from runs where account_id = $1 and status = 'queued' and admitted_at is null) as open`,
    [accountId],
  );
  return row.open;
}
