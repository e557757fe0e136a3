import { type NewAgentEvent, agentChannel } from '@lensforge/contracts';
import { type Context, notFound } from '@lensforge/core';
import { preparedStatement, recordRunChanges, toJsonb } from '@lensforge/database';

export type AgentEventRecord = NewAgentEvent & {
  agentId: string;
  /** The run that the event concerns. */
  runId?: string | undefined;
};

const insert = preparedStatement(`
with moved as (
  update ai_lensers set last_sequence = last_sequence + 1 where account_id = $1 returning last_sequence, archived_at
), appended as (
insert into agent_events (agent_id, sequence, type, run_id, payload, occurred_at)
select $1, last_sequence, $2, $3, $4, clock_timestamp() from moved
)
select last_sequence as "lastSequence", archived_at is not null as "isArchived" from moved`);

/**
 * Appends an event to the log of an AI lenser, in the transaction of what it describes. The log stays locked until the
 * commit, so that sequence numbers have no gaps: call it late. Returns whether the AI lenser is archived by then.
 */
export async function recordAgentEvent(
  ctx: Context,
  { agentId, runId, type, payload }: AgentEventRecord,
): Promise<{ isArchived: boolean }> {
  const [log] = await ctx.db.query<{ lastSequence: number; isArchived: boolean }[]>(insert, [
    agentId,
    type,
    runId ?? null,
    toJsonb(payload),
  ]);
  if (!log) throw notFound('AI lenser', agentId);
  const { lastSequence, isArchived } = log;
  recordRunChanges(ctx, { positions: [{ channel: agentChannel(agentId), lastSequence }] });
  return { isArchived };
}
