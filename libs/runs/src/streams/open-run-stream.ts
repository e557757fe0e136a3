import type { RunKind } from '@lensforge/contracts';
import { type Context, badInput, newId, notFound } from '@lensforge/core';
import { kindsFor } from '../access.js';
import { batchLabel, tagLabel } from '../read/run-filter.js';

export interface RunGroup {
  tag?: string | undefined;
  batchId?: string | undefined;
}

export interface RunStream {
  id: string;
  /** True for a tag, which can always get another run; a batch ends with its last run. */
  endless: boolean;
  /** The kinds of runs that the caller may read. */
  kinds: readonly RunKind[];
}

/** Opens the stream of the caller's runs of a batch or with a tag. Its log begins with the first call. */
export async function openRunStream(ctx: Context, { tag, batchId }: RunGroup): Promise<RunStream> {
  if ((tag === undefined) === (batchId === undefined)) {
    throw badInput('', 'Either tag or batchId is required, and not both');
  }
  const kinds = kindsFor(ctx);
  const { accountId } = ctx.actor;
  const label = batchId === undefined ? tagLabel(tag ?? '') : batchLabel(batchId);
  if (batchId !== undefined) {
    const [member] = await ctx.db.query<unknown[]>(
      'select from run_labels where account_id = $1 and label = $2 limit 1',
      [accountId, label],
    );
    if (!member) throw notFound('batch', batchId);
  }
  const [row] = await ctx.db.query<[{ id: string }]>(
    `insert into run_streams (id, account_id, label) values ($1, $2, $3)
     on conflict (account_id, label) do update set used_at = now() returning id`,
    [newId(), accountId, label],
  );
  return { id: row.id, endless: batchId === undefined, kinds };
}
