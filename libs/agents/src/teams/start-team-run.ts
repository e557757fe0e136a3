import { recordAudit } from '@lensforge/audit';
import { type RunCause, type TeamRun, type TeamRunPolicy, scopes } from '@lensforge/contracts';
import { type Context, DomainError, asBadInput, isServiceRole } from '@lensforge/core';
import { acceptWorkflowRun } from '@lensforge/runs';
import { ownAgent, requireActive } from '../access.js';
import { recordAgentRun } from '../agent-runs.js';
import { contextWith } from '../context-of-agent.js';
import { countAgentRun } from '../daily-caps.js';
import { inOrder } from '../in-order.js';
import { readTeamRun } from './read-team-runs.js';

export interface TeamRunOrder {
  agentId: string;
  workflowId: string;
  inputs: Record<string, unknown>;
  /** A manual run waits for its owner, at most 24 hours. */
  policy: TeamRunPolicy;
}

const approvalMs = 24 * 3_600_000;

/** Starts a workflow run of an AI lenser, with the rights and credits of its owner. For the service role only. */
export async function startTeamRun(ctx: Context, order: TeamRunOrder): Promise<TeamRun> {
  if (!isServiceRole(ctx)) {
    throw new DomainError('PERMISSION_DENIED', 'Team runs are started by the service role only, over stdio');
  }
  const { workflowId, inputs, policy } = order;
  return inOrder(ctx, order.agentId, async (ctx) => {
    const agent = await ownAgent(ctx, order.agentId);
    requireActive(agent);
    const { id: agentId } = agent;
    await countAgentRun(ctx, agent, 'team');
    const acting = contextWith(ctx, agent, ['workflows:write', 'lenses:read', 'community:write']);
    const { runId } = await acceptWorkflowRun(acting, {
      workflowId,
      inputs,
      cause: { kind: 'team', agentId, agentScopes: scopes } satisfies RunCause,
      ...(policy === 'manual' && { approvalMs }),
    }).catch((reason: unknown) => {
      throw asBadInput(reason);
    });
    await recordAgentRun(ctx, { runId, agentId, kind: 'team', policy });
    await recordAudit(ctx, {
      accountId: agent.owner.id,
      action: 'team_run.started',
      target: { kind: 'ai_lenser', id: agentId },
      details: { runId, workflowId, policy },
    });
    return readTeamRun(ctx, { agentId, runId });
  });
}
