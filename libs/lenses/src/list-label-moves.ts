import type { LensLabelMove } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import { ownLens } from './access.js';

/** Lists where the labels of a lens of the caller pointed, the newest move first. */
export async function listLabelMoves(ctx: Context, lensId: string, page: PageRequest): Promise<Page<LensLabelMove>> {
  const lens = await ownLens(ctx, lensId);
  const after = page.cursor === undefined ? null : decodeCursor(page.cursor).id;
  const rows = await ctx.db.query<LensLabelMove[]>(
    `select m.id, m.label, m.credential_kind as credential, iso(m.moved_at) as "movedAt",
            case when v.id is not null then jsonb_build_object('id', v.id, 'semver', v.semver) end as version
       from lens_label_moves m left join lens_versions v on v.id = m.version_id
      where m.lens_id = $1 and ($2::uuid is null or m.id < $2)
      order by m.id desc limit $3 offset $4`,
    [lens.id, after, page.limit + 1, page.offset ?? 0],
  );
  return toPage(rows, page, ({ id, movedAt: createdAt }) => cursorOfRow({ id, createdAt }));
}
