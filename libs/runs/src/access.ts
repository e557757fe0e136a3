import type { RunStatus, Scope } from '@lensforge/contracts';
import { grants } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { isServiceRole, notFound, requireScope } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import type { RunKind } from './run.entity.js';

export interface RunHead {
  id: string;
  accountId: string;
  kind: RunKind;
  status: RunStatus;
  lastSequence: number;
  completedAt: string | null;
}

const headById = preparedStatement(`
  select id, account_id as "accountId", kind, status, last_sequence as "lastSequence",
         iso(completed_at) as "completedAt"
    from runs where id = $1 limit 1`);

/** The run when the caller may know of it: their own only. Its scope is the one of what it runs. */
export async function readableRun(ctx: Context, runId: string): Promise<RunHead> {
  const [run] = await ctx.db.query<RunHead[]>(headById, [runId]);
  return asReadable(ctx, runId, run);
}

/** The same judgement of a run that was read before it was known who asks. */
export function asReadable(ctx: Context, runId: string, run: RunHead | null | undefined): RunHead {
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

const scopeToRead = { lens: 'lenses:read', workflow: 'workflows:read' } as const;
const scopeToWrite = { lens: 'lenses:read', workflow: 'workflows:write' } as const;

/** The kinds of runs that a list for this caller has: the one that is asked for, or all that their scopes reach. */
export function kindsFor(ctx: Context, wanted?: RunKind, scopes: Record<RunKind, Scope> = scopeToRead): RunKind[] {
  if (wanted) {
    requireScope(ctx, scopes[wanted]);
    return [wanted];
  }
  const kinds = (['lens', 'workflow'] as const).filter(
    (kind) => isServiceRole(ctx) || grants(ctx.actor.scopes, scopes[kind]),
  );
  if (kinds.length === 0) requireScope(ctx, scopes.lens);
  return kinds;
}

export const writableKinds = (ctx: Context, wanted?: RunKind): RunKind[] => kindsFor(ctx, wanted, scopeToWrite);
