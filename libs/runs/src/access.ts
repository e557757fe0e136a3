import type { RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { isServiceRole, notFound, requireScope } from '@lensforge/core';
import { planOnce } from '@lensforge/database';
import type { RunKind } from './run.entity.js';

export interface RunHead {
  id: string;
  accountId: string;
  kind: RunKind;
  status: RunStatus;
  lastSequence: number;
  completedAt: string | null;
}

const headById = planOnce(`
  select id, account_id as "accountId", kind, status, last_sequence as "lastSequence",
         iso(completed_at) as "completedAt"
    from runs where id = $1`);

/** The run when the caller may know of it: their own only. Its scope is the one of what it runs. */
export async function readableRun(ctx: Context, runId: string): Promise<RunHead> {
  const [run] = await ctx.db.query<RunHead[]>(headById, [runId]);
  if (!run || (run.accountId !== ctx.actor.accountId && !isServiceRole(ctx))) throw notFound('run', runId);
  requireScope(ctx, run.kind === 'lens' ? 'lenses:read' : 'workflows:read');
  return run;
}

/** The run when the caller may steer it. A lens run is steered with the scope that starts one. */
export async function writableRun(ctx: Context, runId: string): Promise<RunHead> {
  const run = await readableRun(ctx, runId);
  if (run.kind === 'workflow') requireScope(ctx, 'workflows:write');
  return run;
}
