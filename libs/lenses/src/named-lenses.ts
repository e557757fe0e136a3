import { type Context, DomainError, notFound } from '@lensforge/core';
import { type LensHead, canSee, headColumns } from './access.js';
import type { LensStatus } from './lens.entity.js';

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
select l.id, a.handle, ${slugOf('l.title')} as slug, l.title, l.description, l.status,
       coalesce(l.served_version_id, l.head_version_id) as "versionId", l.tags, iso(l.created_at) as "createdAt",
       iso(l.updated_at) as "updatedAt", v.template_body like '[[@%' as "isConversation"
  from lenses l join accounts a on a.id = l.account_id join lens_versions v on v.id = l.head_version_id
 where l.account_id = $1 and l.deleted_at is null and l.status <> 'archived' order by l.created_at desc, l.id desc limit $2`;

export interface NamedLensHead {
  id: string;
  /** Its handle and title, or its handle and id where another lens of the owner has the same title. */
  name: string;
  title: string;
  description: string;
  status: LensStatus;
  /** The version that callers without a version get. */
  versionId: string;
  tags: string[];
  createdAt: string;
  updatedAt: string;
  /** True when its newest version has messages. */
  isConversation: boolean;
}

/** The newest lenses of the caller by the names under which programs call them. */
export async function listOwnNames(ctx: Context, limit: number): Promise<NamedLensHead[]> {
  const lenses = await ctx.db.query<(Omit<NamedLensHead, 'name'> & { handle: string; slug: string })[]>(ownNames, [
    ctx.actor.accountId,
    limit,
  ]);
  const isTwice = (slug: string): boolean => lenses.filter((each) => each.slug === slug).length > 1;
  return lenses.map(({ handle, slug, ...lens }) => ({
    ...lens,
    name: `${handle}/${slug === '' || isTwice(slug) ? lens.id : slug}`,
  }));
}

const lensName = /^(?:lens:([0-9a-f-]{36})|([a-z0-9_-]{1,64})\/([^\s@/]{1,100}))(?:@([\w.-]{1,100}))?$/i;

/** A lens that a program names: `lens:ID` or `handle/title`, each perhaps with `@` and a version or label. */
export type LensName = { version: string | undefined } & ({ id: string } | { handle: string; lens: string });

/** Undefined for a text of another form. */
export function readLensName(name: string): LensName | undefined {
  const [, id, handle, lens, version] = lensName.exec(name) ?? [];
  if (id !== undefined) return { id, version };
  return handle !== undefined && lens !== undefined ? { handle, lens, version } : undefined;
}

/** The id of the lens that a name means; NOT_FOUND when the caller sees none, CONFLICT when it is that of several. */
export async function findByName(ctx: Context, name: LensName): Promise<string> {
  if ('id' in name) return name.id;
  const shown = `${name.handle}/${name.lens}`;
  const [found, other] = await listNamed(ctx, name);
  if (!found) throw notFound('lens', shown);
  if (other)
    throw new DomainError('CONFLICT', `${shown} names several lenses: write the id of one in place of its title`);
  return found.id;
}
