import type { Context } from '@lensforge/core';
import { type LensHead, canSee, headColumns } from './access.js';

/** SQL for the title of a lens as names write it: lower case, with - between words. */
const slugOf = (title: string): string =>
  `trim(both '-' from regexp_replace(lower(${title}), '[^[:alnum:]]+', '-', 'g'))`;

const byName = `
select ${headColumns} from accounts a join lenses l on l.account_id = a.id
 where a.handle = $1 and l.deleted_at is null and (l.id::text = $2 or ${slugOf('l.title')} = $2)
 limit 10`;

/** The lenses that the caller may see under the handle of their owner, and an id or a title with - between words. */
export async function listNamed(ctx: Context, { handle, lens }: { handle: string; lens: string }): Promise<LensHead[]> {
  const found = await ctx.db.query<LensHead[]>(byName, [handle.toLowerCase(), lens.toLowerCase()]);
  return found.filter((each) => canSee(ctx, each));
}

const ownNames = `
select l.id, a.handle, ${slugOf('l.title')} as slug, iso(l.created_at) as "createdAt"
  from lenses l join accounts a on a.id = l.account_id
 where l.account_id = $1 and l.deleted_at is null and l.status <> 'archived' order by l.created_at desc, l.id desc limit $2`;

export interface LensName {
  id: string;
  /** Its handle and title, or its handle and id where another lens of the owner has the same title. */
  name: string;
  createdAt: string;
}

/** The newest lenses of the caller by the names under which programs call them. */
export async function listOwnNames(ctx: Context, limit: number): Promise<LensName[]> {
  const lenses = await ctx.db.query<{ id: string; handle: string; slug: string; createdAt: string }[]>(ownNames, [
    ctx.actor.accountId,
    limit,
  ]);
  const isTwice = (slug: string): boolean => lenses.filter((each) => each.slug === slug).length > 1;
  return lenses.map(({ id, handle, slug, createdAt }) => {
    return { id, name: `${handle}/${slug === '' || isTwice(slug) ? id : slug}`, createdAt };
  });
}
