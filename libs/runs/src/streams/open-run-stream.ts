import type { Context } from '@lensforge/core';
import { badInput, newId, notFound } from '@lensforge/core';
import { kindsFor } from '../access.js';
import { batchLabel, tagLabel } from '../read/run-filter.js';
import type { RunKind } from '../run.entity.js';

export interface RunGroup {
  tag?: string | undefined;
  batchId?: string | undefined;
}

export interface RunStream {
  id: string;
  /** A batch ends with its last run; a tag can always get another. */
  endless: boolean;
  /** What the caller may see of it. */
  kinds: readonly RunKind[];
}

/** The stream of the caller's runs of a batch or with a tag. Its book begins when it is first asked for. */
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
