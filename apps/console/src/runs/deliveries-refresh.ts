import type { shapes } from '@lensforge/sdk';

const refreshMs = 2000;
/** The time in which the deliveries of an ended run are expected to begin. */
const expectedMs = 5 * 60_000;

/** The interval in which the deliveries of an ended run can still change. */
export function deliveriesRefresh(
  deliveries: readonly Pick<shapes.RunWebhookDelivery, 'endedAt'>[] | undefined,
  completedAt: string,
  now = Date.now(),
): number | false {
  if (deliveries === undefined || deliveries.length === 0)
    return now - Date.parse(completedAt) < expectedMs ? refreshMs : false;
  return deliveries.some(({ endedAt }) => endedAt === null) ? refreshMs : false;
}
