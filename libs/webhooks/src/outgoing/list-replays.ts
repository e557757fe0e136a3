import type { WebhookReplayReply } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  cursorOfRow,
  decodeCursor,
  notFound,
  toPage,
} from '@lensforge/core';
import { readableEndpoint } from './endpoint-access.js';
import { replaySummary } from './replay-summary.js';

interface ReplayFilter extends PageRequest {
  endpointId: string;
}

/** Lists the replays to an endpoint, newest first. */
export async function listReplays(
  ctx: Context,
  { endpointId, ...page }: ReplayFilter,
): Promise<Page<WebhookReplayReply>> {
  const { limit, offset = 0, cursor } = page;
  const { id } = await readableEndpoint(ctx, endpointId);
  const rows = await ctx.db.query<WebhookReplayReply[]>(
    `select ${replaySummary} from webhook_replays r
      where r.endpoint_id = $1 and ($2::uuid is null or r.id < $2) order by r.id desc limit $3 offset $4`,
    [id, cursor === undefined ? null : decodeCursor(cursor).id, limit + 1, offset],
  );
  return toPage(rows, page, cursorOfRow);
}

export async function readReplay(
  ctx: Context,
  { endpointId, replayId }: { endpointId: string; replayId: string },
): Promise<WebhookReplayReply> {
  const { id } = await readableEndpoint(ctx, endpointId);
  const [found] = await ctx.db.query<WebhookReplayReply[]>(
    `select ${replaySummary} from webhook_replays r where r.id = $1 and r.endpoint_id = $2`,
    [replayId, id],
  );
  if (!found) throw notFound('replay', replayId);
  return found;
}
