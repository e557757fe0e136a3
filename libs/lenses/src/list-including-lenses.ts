import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import { readableLens } from './access.js';
import type { LensSummary } from './shapes.js';
import { readSummaries } from './summaries.js';

const including = `
select l.id from lens_versions v join lenses l on l.head_version_id = v.id
 where v.includes is not null and v.includes @> jsonb_build_array(jsonb_build_object('lensId', $2::uuid))
   and l.account_id = $1 and l.deleted_at is null and ($3::uuid is null or l.id < $3)
 order by l.id desc limit $4 offset $5`;

/** Lists the lenses of the caller whose newest version includes a lens, the newest first. */
export async function listIncludingLenses(ctx: Context, lensId: string, page: PageRequest): Promise<Page<LensSummary>> {
  const { id } = await readableLens(ctx, lensId);
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor).id;
  const found = await ctx.db.query<{ id: string }[]>(including, [
    ctx.actor.accountId,
    id,
    after,
    page.limit + 1,
    page.offset ?? 0,
  ]);
  const lenses = await readSummaries(
    ctx.db,
    found.map((lens) => lens.id),
  );
  return toPage(lenses, page, cursorOfRow);
}
