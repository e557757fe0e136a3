import type { AgentEvent, AgentEventType } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { ownAgent } from '../access.js';

const columns = `agent_id as "aiLenserId", sequence, type as "eventType", run_id as "runId", payload,
  iso(occurred_at) as "occurredAt"`;

export interface AgentEventFilter {
  agentId: string;
  runId?: string | undefined;
  eventType?: AgentEventType | undefined;
  limit: number;
}

export interface AgentEvents {
  items: AgentEvent[];
  /** True when there are older events. */
  hasMore: boolean;
}

/** The newest events of an AI lenser of the caller, in order. */
export async function listAgentEvents(ctx: Context, filter: AgentEventFilter): Promise<AgentEvents> {
  const { runId, eventType, limit } = filter;
  const { id } = await ownAgent(ctx, filter.agentId);
  const parameters: unknown[] = [id, limit + 1];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const ofRun = runId === undefined ? '' : ` and run_id = ${bind(runId)}`;
  const ofType = eventType === undefined ? '' : ` and type = ${bind(eventType)}`;
  const newest = await ctx.db.query<AgentEvent[]>(
    `select ${columns} from agent_events where agent_id = $1${ofRun}${ofType} order by sequence desc limit $2`,
    parameters,
  );
  return { items: newest.slice(0, limit).reverse(), hasMore: newest.length > limit };
}

export interface AgentLog {
  id: string;
  lastSequence: number;
  isArchived: boolean;
}

/** The event log of an AI lenser of the caller. */
export async function readableAgentLog(ctx: Context, agentId: string): Promise<AgentLog> {
  const { id, status } = await ownAgent(ctx, agentId);
  const [position] = await readAgentPositions(ctx, [id]);
  return { id, lastSequence: position?.lastSequence ?? 0, isArchived: status === 'archived' };
}

const eventsAfter = preparedStatement(`
select ${columns} from agent_events where agent_id = $1 and sequence > $2 order by sequence limit $3`);

/** Returns events of an AI lenser after a sequence number, in order. */
export const readAgentEvents = (ctx: Context, agentId: string, after: number, limit: number): Promise<AgentEvent[]> =>
  ctx.db.query<AgentEvent[]>(eventsAfter, [agentId, after, limit]);

/** Returns the last sequence numbers of several AI lensers in one statement. */
export const readAgentPositions = (
  ctx: Context,
  agentIds: readonly string[],
): Promise<{ id: string; lastSequence: number }[]> =>
  ctx.db.query('select account_id as id, last_sequence as "lastSequence" from ai_lensers where account_id = any($1)', [
    agentIds,
  ]);
