import type { Context } from '@lensforge/core';
import { preparedStatement, withDbRetry } from '@lensforge/database';
import type { Claim } from './claim-deliveries.js';

const statement = preparedStatement(`
with input as materialized (
  select x.*, 'sending' as "from" from jsonb_to_recordset($1::jsonb) as x("id" uuid, "attempt" int)
)
update webhook_deliveries d set state = 'pending', slot = null, lease_until = null, next_at = now()
  from input i
 where d.id = any (array(select "id" from input)) and d.id = i."id" and d.attempt = i."attempt" and d.state = i."from"`);

/** Releases claimed deliveries so that they can be claimed again at once; returns their number. The attempts do not count. */
export async function releaseDeliveries(
  { db }: Context,
  claims: readonly Pick<Claim, 'deliveryId' | 'attempt'>[],
): Promise<number> {
  const input = claims.map(({ deliveryId: id, attempt }) => ({ id, attempt }));
  const [, released] = await withDbRetry(() => db.query<[unknown[], number]>(statement, [JSON.stringify(input)]));
  return released;
}
