import { type RunStatus, type TeamRun, teamRunStatusOf } from '@lensforge/contracts';
import { type Context, type CountedPage, type PagePosition, countedPage, notFound } from '@lensforge/core';
import { ownAgent } from '../access.js';

/** A run that waits for its owner, at its start or at a node, is blocked. */
const columns = `a.run_id as id, a.agent_id as "aiLenserId", r.workflow_id as "workflowId", a.policy, r.status,
  (r.status = 'queued' and r.waits_for is not distinct from 'approval') or (r.status = 'running' and exists (
     select from node_waits w where w.run_id = r.id and w.kind = 'approval' and w.decision is null and w.expires_at > now()
     union all select from agent_tool_calls c where c.run_id = r.id and c.state = 'waiting'))
    as "isBlocked",
  iso(a.created_at) as "createdAt", iso(a.approved_at) as "approvedAt", iso(r.started_at) as "startedAt",
  iso(r.completed_at) as "completedAt", r.spent_credits::float8 as "spentCredits"`;
const teamRuns = `agent_runs a join runs r on r.id = a.run_id where a.agent_id = $1 and a.kind = 'team'`;

type Row = Omit<TeamRun, 'status'> & { status: RunStatus; isBlocked: boolean };

const toTeamRun = ({ isBlocked, status, ...row }: Row): TeamRun => ({
  ...row,
  status: isBlocked ? 'blocked' : teamRunStatusOf[status],
});

/** Lists the team runs of an AI lenser of the caller, newest first. */
export async function listTeamRuns(
  ctx: Context,
  { agentId, limit, offset = 0 }: { agentId: string } & PagePosition,
): Promise<CountedPage<TeamRun>> {
  const { id } = await ownAgent(ctx, agentId);
  const [{ total }] = await ctx.db.query<[{ total: number }]>(`select count(*)::int as total from ${teamRuns}`, [id]);
  const rows = await ctx.db.query<Row[]>(
    `select ${columns} from ${teamRuns} order by a.run_id desc limit $2 offset $3::bigint`,
    [id, limit, offset],
  );
  return countedPage(rows.map(toTeamRun), { limit, offset, total });
}

export interface TeamRunRef {
  agentId: string;
  runId: string;
}

/** A run of the caller as a team run; undefined for any other run. */
export async function findTeamRun(ctx: Context, runId: string): Promise<TeamRun | undefined> {
  const [found] = await ctx.db.query<{ agentId: string }[]>(
    `select agent_id as "agentId" from agent_runs where run_id = $1 and kind = 'team'`,
    [runId],
  );
  return found && readTeamRun(ctx, { agentId: found.agentId, runId });
}

/** A team run of an AI lenser of the caller. */
export async function readTeamRun(ctx: Context, { agentId, runId }: TeamRunRef): Promise<TeamRun> {
  const { id } = await ownAgent(ctx, agentId);
  const [row] = await ctx.db.query<Row[]>(`select ${columns} from ${teamRuns} and a.run_id = $2`, [id, runId]);
  if (!row) throw notFound('team run', runId);
  return toTeamRun(row);
}
