import { type ActionVerdict, type AgentAction, agentActions, externalToolId, toolOfAction } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { type AgentRights, readAgentRights } from './agent-rights.js';
import { joinTool } from '../mcp-servers/external-tools.js';

export interface ToolUse {
  agentId: string;
  toolId: string;
  /** The action whose rule in the policy counts; the one that uses the tool when absent. */
  action?: AgentAction | undefined;
}

export type VerdictReason =
  | 'archived'
  | 'not_granted'
  | 'grant_refused'
  | 'policy'
  | 'approval_required'
  /** A tool of an external server has changed since it was granted. */
  | 'suspended'
  /** The external server is gone or disabled, or does not list or allow the tool. */
  | 'unavailable';

export interface ToolVerdict {
  verdict: ActionVerdict;
  /** Present unless the verdict is allow. */
  reason?: VerdictReason;
}

interface ExternalToolState {
  isSuspended: boolean;
  /** True for a tool that is as it was granted; null when it cannot be used now. */
  isPinned: boolean | null;
}

const external = preparedStatement(`
select t.suspended_at is not null as "isSuspended", m.digest = t.pinned_digest as "isPinned"
  from accounts a
  left join agent_tools t on t.agent_id = a.id and t.tool_id = $2
  ${joinTool('a.owner_account_id', 'left join')}
 where a.id = $1`);

/** Decides by grant and policy whether an AI lenser may use a tool. Tools that no action uses need the grant alone. */
export async function toolVerdict(ctx: Context, use: ToolUse): Promise<ToolVerdict> {
  const { agentId, toolId } = use;
  const rights = await readAgentRights(ctx, agentId);
  if (!externalToolId.test(toolId)) return platformToolVerdict(rights, use);
  const refusal = refusalWithoutGrant(rights, toolId);
  if (refusal) return refusal;
  const [found] = await ctx.db.query<ExternalToolState[]>(external, [agentId, toolId]);
  if (found?.isSuspended || found?.isPinned === false) return { verdict: 'deny', reason: 'suspended' };
  return found?.isPinned ? { verdict: 'allow' } : { verdict: 'deny', reason: 'unavailable' };
}

/** The verdict on a tool of the platform, or on another agent as a tool. */
export function platformToolVerdict(rights: AgentRights, { toolId, action }: Omit<ToolUse, 'agentId'>): ToolVerdict {
  const refusal = refusalWithoutGrant(rights, toolId);
  if (refusal) return refusal;
  const ruled = action ?? agentActions.find((each) => toolOfAction[each] === toolId);
  const rule = ruled === undefined ? 'allow' : (rights.policy.actions[ruled] ?? 'deny');
  if (rule === 'allow') return { verdict: 'allow' };
  return { verdict: rule, reason: rule === 'ask' ? 'approval_required' : 'policy' };
}

function refusalWithoutGrant(
  { isArchived, isOwnerDisabled, grants }: AgentRights,
  toolId: string,
): ToolVerdict | undefined {
  if (isArchived || isOwnerDisabled) return { verdict: 'deny', reason: 'archived' };
  const allowed = Object.hasOwn(grants, toolId) ? grants[toolId] : undefined;
  if (allowed === undefined) return { verdict: 'deny', reason: 'not_granted' };
  return allowed ? undefined : { verdict: 'deny', reason: 'grant_refused' };
}
