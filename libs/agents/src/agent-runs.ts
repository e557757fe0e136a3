import { type RunStatus, type TeamRunPolicy, isTerminal, teamRunStatusOf } from '@lensforge/contracts';
import { type Context, DomainError, platformActor } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { cancelRun } from '@lensforge/runs';
import { recordAgentEvent } from './events/record-agent-event.js';

export interface NewAgentRun {
  runId: string;
  agentId: string;
  kind: 'action' | 'team';
  policy?: TeamRunPolicy;
}

/** Records a run that an AI lenser has started, in the transaction that accepts it. The cause of the run names its agent. */
export async function recordAgentRun(
  ctx: Context,
  { runId, agentId, kind, policy = 'auto' }: NewAgentRun,
): Promise<void> {
  await ctx.db.query(
    'insert into agent_runs (run_id, agent_id, kind, policy, created_at) values ($1, $2, $3, $4, $5)',
    [runId, agentId, kind, policy, ctx.now()],
  );
  const status = policy === 'manual' ? 'blocked' : 'queued';
  const { isArchived } = await recordAgentEvent(ctx, {
    agentId,
    runId,
    type: 'run.started',
    payload: { kind, status },
  });
  // Archiving locks the log, too: either it cancels this run, or it is committed by now.
  if (isArchived) throw new DomainError('CONFLICT', 'The AI lenser is archived', { status: 'archived' });
}

/** Records the end of a run of an AI lenser in its log; a repeated call has no effect. */
export function recordAgentRunEnd(ctx: Context, runId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const [[ended]] = await ctx.db.query<[{ agentId: string; status: RunStatus }[], number]>(
      `update agent_runs a set ended_at = coalesce(r.completed_at, now()) from runs r
        where a.run_id = $1 and a.ended_at is null and r.id = a.run_id and r.completed_at is not null
        returning a.agent_id as "agentId", r.status`,
      [runId],
    );
    if (!ended) return;
    const { agentId, status } = ended;
    await recordAgentEvent(ctx, {
      agentId,
      runId,
      type: 'run.ended',
      payload: { status: teamRunStatusOf[status] },
    });
  });
}

/** Cancels the runs of an AI lenser that have not ended, and counts them; workers are asked to stop running lens runs. */
export async function cancelAgentRuns(ctx: Context, agentId: string): Promise<number> {
  const platform = { ...ctx, actor: platformActor };
  const recorded = await ctx.db.query<{ runId: string; status: RunStatus }[]>(
    `select a.run_id as "runId", r.status from agent_runs a join runs r on r.id = a.run_id
      where a.agent_id = $1 and a.ended_at is null order by a.run_id`,
    [agentId],
  );
  const open = recorded.filter(({ status }) => !isTerminal(status));
  for (const { runId } of open) {
    await cancelRun(platform, runId).catch((reason: unknown) => {
      const hasEnded = reason instanceof DomainError && reason.code === 'INVALID_TRANSITION';
      if (!hasEnded) throw reason;
    });
    await recordAgentRunEnd(ctx, runId);
  }
  return open.length;
}
