import { type AgentApprovalStatus, agentActions, toolOfAction } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { recordAgentEvent } from '../events/record-agent-event.js';
import { approvalMs } from './run-agent-action.js';

/** A tool call of an AI lenser in a workflow run. */
export interface ToolCallOfRun {
  agentId: string;
  runId: string;
  nodeKey: string;
  toolId: string;
  input: Readonly<Record<string, unknown>>;
}

/** Requests the approval of the owner for a tool call, in the transaction in which its node begins to wait. */
export async function requestToolApproval(ctx: Context, call: ToolCallOfRun): Promise<string> {
  const { agentId, runId, nodeKey, toolId, input } = call;
  const action = agentActions.find((each) => toolOfAction[each] === toolId);
  if (!action) throw new Error(`no action of the policy uses the tool ${toolId}`);
  const approvalId = newId();
  const expiresAt = new Date(ctx.now().getTime() + approvalMs);
  await ctx.db.query(
    `insert into agent_actions (id, agent_id, action, metadata, verdict, approval, expires_at, created_at, run_id, node_key, tool_id)
     values ($1, $2, $3, $4, 'ask', 'pending', $5, $6, $7, $8, $9)`,
    [approvalId, agentId, action, toJsonb(input), expiresAt, ctx.now(), runId, nodeKey, toolId],
  );
  const payload = { approvalId, action, expiresAt: expiresAt.toISOString() };
  await recordAgentEvent(ctx, { agentId, runId, type: 'approval.requested', payload });
  return approvalId;
}

export interface ToolApproval {
  status: AgentApprovalStatus;
  msLeft: number;
}

/** Reads the state of an approval, by the clock of the database. */
export async function readToolApproval({ db }: Context, approvalId: string): Promise<ToolApproval | undefined> {
  const [found] = await db.query<ToolApproval[]>(
    `select case when approval = 'pending' and expires_at <= now() then 'expired' else approval end as status,
            greatest(0, extract(epoch from expires_at - now()) * 1000)::float8 as "msLeft"
       from agent_actions where id = $1 and approval is not null`,
    [approvalId],
  );
  return found;
}
