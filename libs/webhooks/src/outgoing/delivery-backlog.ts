import type { EntityManager } from 'typeorm';

export interface DeliveryBacklog {
  due: number;
  sending: number;
  oldestSeconds: number;
}

/** Counts due and running deliveries, and how long the oldest due one has waited. */
export async function readDeliveryBacklog(db: EntityManager): Promise<DeliveryBacklog> {
  const [backlog] = await db.query<[DeliveryBacklog]>(
    `select count(*) filter (where state = 'pending' and next_at <= now())::int as due,
            count(*) filter (where state = 'sending')::int as sending,
            coalesce(extract(epoch from now() - min(next_at) filter (where state = 'pending' and next_at <= now())), 0)::float
              as "oldestSeconds"
       from webhook_deliveries where state in ('pending', 'sending')`,
  );
  return backlog;
}
