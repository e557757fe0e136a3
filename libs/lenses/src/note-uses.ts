import type { EntityManager } from 'typeorm';

/**
 * Adds to how often lenses were used. Their popularity follows in steps of half as much again, so that a lens that is
 * used all day is rewritten a few times and not at each use.
 */
export async function noteUses(db: EntityManager, uses: ReadonlyMap<string, number>): Promise<void> {
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
