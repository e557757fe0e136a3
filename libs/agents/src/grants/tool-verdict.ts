import type { ActionVerdict, AgentAction, AiLenserPolicy } from '@lensforge/contracts';
import { agentActions, toolOfAction } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { notFound } from '@lensforge/core';
import { externalToolId, joinTool } from '../mcp-servers/external-tools.js';

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

interface Found {
  policy: AiLenserPolicy;
  isArchived: boolean;
  allowed: boolean | null;
  isSuspended: boolean;
  /** True for a tool of an external server that is as it was granted; null when it cannot be used now. */
  isPinned: boolean | null;
}

/** Decides by grant and policy whether an AI lenser may use a tool. Tools that no action uses need the grant alone. */
export async function toolVerdict(ctx: Context, { agentId, toolId, action }: ToolUse): Promise<ToolVerdict> {
  const isExternal = externalToolId.test(toolId);
  const [found] = await ctx.db.query<Found[]>(
    `select l.policy, l.archived_at is not null or o.disabled_at is not null as "isArchived", t.allowed,
            t.suspended_at is not null as "isSuspended", ${isExternal ? 'm.digest = t.pinned_digest' : 'null'} as "isPinned"
       from ai_lensers l join accounts a on a.id = l.account_id join accounts o on o.id = a.owner_account_id
       left join agent_tools t on t.agent_id = l.account_id and t.tool_id = $2
       ${isExternal ? joinTool('a.owner_account_id', 'left join') : ''}
      where l.account_id = $1`,
    [agentId, toolId],
  );
  if (!found) throw notFound('AI lenser', agentId);
  const { policy, isArchived, allowed } = found;
  if (isArchived) return { verdict: 'deny', reason: 'archived' };
  if (allowed === null) return { verdict: 'deny', reason: 'not_granted' };
  if (!allowed) return { verdict: 'deny', reason: 'grant_refused' };
  if (isExternal) return externalVerdict(found);
  const ruled = action ?? agentActions.find((each) => toolOfAction[each] === toolId);
  const rule = ruled === undefined ? 'allow' : (policy.actions[ruled] ?? 'deny');
  if (rule === 'allow') return { verdict: 'allow' };
  return { verdict: rule, reason: rule === 'ask' ? 'approval_required' : 'policy' };
}

function externalVerdict({ isSuspended, isPinned }: Found): ToolVerdict {
  if (isSuspended || isPinned === false) return { verdict: 'deny', reason: 'suspended' };
  return isPinned === null ? { verdict: 'deny', reason: 'unavailable' } : { verdict: 'allow' };
}
