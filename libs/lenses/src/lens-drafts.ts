import type { LensDraft, LensDraftRequest } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { ownLens } from './access.js';

const columns = `template_body as "templateBody", settings, changelog, base_version_id as "baseVersionId",
  iso(updated_at) as "updatedAt"`;

/** The draft of a lens of the caller; null without one. */
export async function getLensDraft(ctx: Context, lensId: string): Promise<LensDraft | null> {
  const lens = await ownLens(ctx, lensId);
  const [draft] = await ctx.db.query<LensDraft[]>(`select ${columns} from lens_drafts where lens_id = $1`, [lens.id]);
  return draft ?? null;
}

/** Keeps a change of a lens of the caller as its draft, in place of the one that it continues. */
export async function saveLensDraft(ctx: Context, lensId: string, content: LensDraftRequest): Promise<LensDraft> {
  const lens = await ownLens(ctx, lensId);
  const { templateBody, settings, changelog, baseVersionId, continues } = content;
  const [draft] = await ctx.db.query<LensDraft[]>(
    `insert into lens_drafts (lens_id, template_body, settings, changelog, base_version_id, updated_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (lens_id) do update
        set template_body = excluded.template_body, settings = excluded.settings, changelog = excluded.changelog,
            base_version_id = excluded.base_version_id, updated_at = excluded.updated_at
      where $7 or lens_drafts.updated_at = $8
     returning ${columns}`,
    [
      lens.id,
      templateBody,
      settings && JSON.stringify(settings),
      changelog,
      baseVersionId,
      ctx.now(),
      continues === undefined,
      continues ?? null,
    ],
  );
  if (draft) return draft;
  throw new DomainError('CONFLICT', 'The lens has another draft by now: read it and decide which one stays');
}

/** Removes the draft of a lens of the caller, unless it is another one than `continues`; returns the one that stays. */
export async function discardLensDraft(ctx: Context, lensId: string, continues?: string): Promise<LensDraft | null> {
  const lens = await ownLens(ctx, lensId);
  await ctx.db.query('delete from lens_drafts where lens_id = $1 and ($2::timestamptz is null or updated_at = $2)', [
    lens.id,
    continues ?? null,
  ]);
  return getLensDraft(ctx, lens.id);
}
