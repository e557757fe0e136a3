import type { AiLenserPolicy } from '@lensforge/contracts';
import { type Context, batchCalls, notFound } from '@lensforge/core';
import { perDatabase, preparedStatement } from '@lensforge/database';
import type { EntityManager } from 'typeorm';

/** The facts that decide which tools an AI lenser may use. */
export interface AgentRights {
  agentId: string;
  ownerId: string;
  policy: AiLenserPolicy;
  isArchived: boolean;
  isOwnerDisabled: boolean;
  /** The granted tools; false for those that are refused. */
  grants: Readonly<Record<string, boolean>>;
}

const statement = preparedStatement(`
select l.account_id as "agentId", o.id as "ownerId", l.policy, l.archived_at is not null as "isArchived",
       o.disabled_at is not null as "isOwnerDisabled",
       coalesce((select jsonb_object_agg(t.tool_id, t.allowed) from agent_tools t where t.agent_id = l.account_id), '{}') as grants
  from ai_lensers l join accounts a on a.id = l.account_id join accounts o on o.id = a.owner_account_id
 where l.account_id = any ($1)`);

/** Concurrent reads outside of transactions share a query. */
const reading = perDatabase((db) =>
  batchCalls((ids: string[]) => readRights(db, ids), { maxSize: 100, concurrency: 2 }),
);

async function readRights(db: EntityManager, ids: readonly string[]): Promise<(AgentRights | undefined)[]> {
  const rows = await db.query<AgentRights[]>(statement, [[...new Set(ids)]]);
  const byId = new Map(rows.map((row) => [row.agentId, row]));
  return ids.map((id) => byId.get(id));
}

export async function readAgentRights(ctx: Context, agentId: string): Promise<AgentRights> {
  const rights = ctx.db.queryRunner ? (await readRights(ctx.db, [agentId]))[0] : await reading.of(ctx)(agentId);
  if (!rights) throw notFound('AI lenser', agentId);
  return rights;
}
