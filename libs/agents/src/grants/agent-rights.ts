import type { AiLenserPolicy } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { notFound } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';

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
 where l.account_id = $1`);

export async function readAgentRights({ db }: Context, agentId: string): Promise<AgentRights> {
  const [rights] = await db.query<AgentRights[]>(statement, [agentId]);
  if (!rights) throw notFound('AI lenser', agentId);
  return rights;
}
