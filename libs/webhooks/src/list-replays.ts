import type { WebhookReplayReply } from '@lensforge/contracts';
import type { Context, Page } from '@lensforge/core';
import { decodeCursor, notFound } from '@lensforge/core';
import { readableEndpoint } from './access.js';
import { pageOf } from './page-of.js';
import { replaySummary } from './replay-summary.js';

interface ReplayFilter {
  endpointId: string;
  limit: number;
  cursor?: string | undefined;
}

/** The replays to an endpoint, the newest first. */
export async function listReplays(
  ctx: Context,
  { endpointId, limit, cursor }: ReplayFilter,
): Promise<Page<WebhookReplayReply>> {
  const { id } = await readableEndpoint(ctx, endpointId);
  const rows = await ctx.db.query<WebhookReplayReply[]>(
    `select ${replaySummary} from webhook_replays r
      where r.endpoint_id = $1 and ($2::uuid is null or r.id < $2) order by r.id desc limit $3`,
    [id, cursor === undefined ? null : decodeCursor(cursor).id, limit + 1],
  );
  return pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
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
