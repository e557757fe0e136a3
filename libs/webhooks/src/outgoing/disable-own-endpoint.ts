import type { WebhookEndpointReply } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readableEndpoint, writableEndpoint } from './endpoint-access.js';
import { disableEndpoint } from './disable-endpoint.js';

/** Disables an endpoint of the caller. */
export function disableOwnEndpoint(
  ctx: Context,
  { endpointId }: { endpointId: string },
): Promise<WebhookEndpointReply> {
  return inTransaction(ctx, async (ctx) => {
    const { id } = await writableEndpoint(ctx, endpointId);
    await disableEndpoint(ctx, id, 'owner');
    return readableEndpoint(ctx, id);
  });
}
