import type { EntityManager } from 'typeorm';

/** Records that a worker can call these providers with the platform's keys; writes at most every 20 seconds per provider. */
export async function announceProviders(db: EntityManager, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await db.query(
    `insert into providers (key) select distinct unnest($1::text[]) order by 1
     on conflict (key) do update set seen_at = now() where providers.seen_at < now() - interval '20 s'`,
    [keys],
  );
}
