import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';

/**
 * Deletes all lenses of the caller that no other account sees, with their texts, also of those deleted before, all saved cases
 * and drafts, and the candidates of other lenses, unless callers get them by a label.
 */
export const eraseHiddenLenses = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const [erased] = await ctx.db.query<[{ id: string }[], number]>(
      `update lenses set deleted_at = coalesce(deleted_at, $2), updated_at = $2, title = 'Erased lens', description = '',
              tags = '{}', search_vector = ''
        where account_id = $1 and (visibility = 'private' or deleted_at is not null) returning id`,
      [ctx.actor.accountId, ctx.now()],
    );
    for (const table of ['lens_cases', 'lens_drafts'])
      await ctx.db.query(`delete from ${table} c using lenses l where l.id = c.lens_id and l.account_id = $1`, [
        ctx.actor.accountId,
      ]);
    await ctx.db.query(
      `update lens_versions v set template_body = '', params = '[]', changelog = '', settings = null, includes = null
         from lenses l
        where l.id = v.lens_id and l.account_id = $1
          and (l.id = any ($2)
               or v.is_candidate and not exists (select from lens_labels b where b.lens_id = l.id and b.version_id = v.id))`,
      [ctx.actor.accountId, erased.map(({ id }) => id)],
    );
  });
