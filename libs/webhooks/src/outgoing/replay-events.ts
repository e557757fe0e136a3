import type { WebhookReplayReply } from '@lensforge/contracts';
import { type Context, DomainError, badInput, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableEndpoint } from './endpoint-access.js';
import { replaySummary } from './replay-summary.js';
import type { ReplaySelection } from './webhook-replay.entity.js';

export interface NewReplay {
  endpointId: string;
  from: string;
  /** Defaults to now. */
  to?: string | undefined;
  what: ReplaySelection;
}

/** Starts a replay of the events of a time range. A dispatcher makes the deliveries, page by page. */
export function replayEvents(ctx: Context, { endpointId, from, to, what }: NewReplay): Promise<WebhookReplayReply> {
  return inTransaction(ctx, async (ctx) => {
    const { id, accountId, disabled } = await writableEndpoint(ctx, endpointId);
    if (disabled) throw new DomainError('CONFLICT', 'The endpoint is disabled; enable it before you replay');
    const until = to ?? ctx.now().toISOString();
    if (Date.parse(from) >= Date.parse(until)) throw badInput('from', 'must be before to');
    const [replay] = await ctx.db.query<WebhookReplayReply[]>(
      `with r as (
         insert into webhook_replays (id, endpoint_id, account_id, from_at, to_at, what)
         values ($1, $2, $3, $4, least($5::timestamptz, greatest(now(), $4::timestamptz + interval '1 ms')), $6)
         on conflict (endpoint_id) where state = 'running' do nothing returning *)
       select ${replaySummary} from r`,
      [newId(), id, accountId, from, until, what],
    );
    if (!replay) throw new DomainError('CONFLICT', 'Another replay to this endpoint is running; wait for its end');
    return replay;
  });
}
