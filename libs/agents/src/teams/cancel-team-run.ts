import { recordAudit } from '@lensforge/audit';
import type { TeamRun } from '@lensforge/contracts';
import { type Context, DomainError, platformActor } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { cancelRun } from '@lensforge/runs';
import { ownAgent } from '../access.js';
import { recordAgentRunEnd } from '../agent-runs.js';
import { type TeamRunRef, readTeamRun } from './read-team-runs.js';

/** Cancels a team run of an AI lenser of the caller. A canceled run stays as it is; another ended run is an error. */
export function cancelTeamRun(ctx: Context, ref: TeamRunRef): Promise<TeamRun> {
  return inTransaction(ctx, async (ctx) => {
    const agent = await ownAgent(ctx, ref.agentId);
    const { id: runId, status } = await readTeamRun(ctx, ref);
    if (status === 'cancelled') return readTeamRun(ctx, ref);
    if (status === 'completed' || status === 'failed') {
      throw new DomainError('INVALID_TRANSITION', `The team run has ended as ${status} and cannot be canceled`, {
        status,
      });
    }
    await cancelRun({ ...ctx, actor: platformActor }, runId);
    await recordAgentRunEnd(ctx, runId);
    await recordAudit(ctx, {
      accountId: agent.owner.id,
      action: 'team_run.canceled',
      target: { kind: 'ai_lenser', id: agent.id },
      details: { runId },
    });
    return readTeamRun(ctx, ref);
  });
}
