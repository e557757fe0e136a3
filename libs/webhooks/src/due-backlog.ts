import type { EntityManager } from 'typeorm';

export interface DueBacklog {
  due: number;
  sending: number;
  oldestSeconds: number;
}

/** Deliveries that could be on their way now, and for how long the oldest of them has been waiting. */
export async function dueBacklog(db: EntityManager): Promise<DueBacklog> {
  const [backlog] = await db.query<[DueBacklog]>(
    `select count(*) filter (where state = 'pending' and next_at <= now())::int as due,
            count(*) filter (where state = 'sending')::int as sending,
            coalesce(extract(epoch from now() - min(next_at) filter (where state = 'pending' and next_at <= now())), 0)::float
              as "oldestSeconds"
       from webhook_deliveries where state in ('pending', 'sending')`,
  );
  return backlog;
}
