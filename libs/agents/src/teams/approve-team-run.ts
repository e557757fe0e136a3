import { recordAudit } from '@lensforge/audit';
import type { TeamRun } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { releaseRun } from '@lensforge/runs';
import { ownAgent } from '../access.js';
import { recordAgentEvent } from '../events/record-agent-event.js';
import { type TeamRunRef, readTeamRun } from './read-team-runs.js';

/** Lets a team run start that waits for its owner, the caller. */
export function approveTeamRun(ctx: Context, ref: TeamRunRef): Promise<TeamRun> {
  return inTransaction(ctx, async (ctx) => {
    const { id: agentId, owner } = await ownAgent(ctx, ref.agentId);
    const { id: runId, status, createdAt } = await readTeamRun(ctx, ref);
    if (!(await releaseRun(ctx, runId))) {
      throw new DomainError('CONFLICT', `The team run is ${status} and does not wait for its owner`, { status });
    }
    await ctx.db.query('update agent_runs set approved_at = $2 where run_id = $1', [runId, ctx.now()]);
    const waitedMs = Math.max(0, ctx.now().getTime() - Date.parse(createdAt));
    await recordAgentEvent(ctx, { agentId, runId, type: 'run.approved', payload: { waitedMs } });
    await recordAudit(ctx, {
      accountId: owner.id,
      action: 'team_run.approved',
      target: { kind: 'ai_lenser', id: agentId },
      details: { runId },
    });
    return readTeamRun(ctx, ref);
  });
}
