import type { EntityManager } from 'typeorm';

/**
 * Adds to the use counts of lenses. The popularity of a lens is the logarithm of its count, so a busy lens is rewritten
 * a few times a day and not on each use.
 */
export async function addLensUses(db: EntityManager, uses: ReadonlyMap<string, number>): Promise<void> {
  if (uses.size === 0) return;
  const sorted = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
  await db.query(
    `with counted as (
       insert into lens_uses (lens_id, uses)
       select id, n from unnest($1::uuid[], $2::bigint[]) as x (id, n) where exists (select from lenses l where l.id = x.id)
       on conflict (lens_id) do update set uses = lens_uses.uses + excluded.uses
       returning lens_id, floor(ln(1 + uses) / ln(1.5))::smallint as popularity
     )
     update lenses l set popularity = c.popularity from counted c
      where l.id = c.lens_id and l.popularity <> c.popularity`,
    [sorted.map(([id]) => id), sorted.map(([, n]) => n)],
  );
}
