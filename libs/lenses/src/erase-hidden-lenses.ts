import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';

/** Deletes all lenses of the caller that no other account sees, with their texts, also of those deleted before, and all saved cases. */
export const eraseHiddenLenses = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const [erased] = await ctx.db.query<[{ id: string }[], number]>(
      `update lenses set deleted_at = coalesce(deleted_at, $2), updated_at = $2, title = 'Erased lens', description = '',
              tags = '{}', search_vector = ''
        where account_id = $1 and (visibility = 'private' or deleted_at is not null) returning id`,
      [ctx.actor.accountId, ctx.now()],
    );
    await ctx.db.query('delete from lens_cases c using lenses l where l.id = c.lens_id and l.account_id = $1', [
      ctx.actor.accountId,
    ]);
    await ctx.db.query(
      `update lens_versions set template_body = '', params = '[]', changelog = '' where lens_id = any ($1)`,
      [erased.map(({ id }) => id)],
    );
  });
