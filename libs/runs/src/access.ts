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

/** Returns a run of the caller's account; needs the scope that reads its lens or workflow. */
export async function readableRun(ctx: Context, runId: string): Promise<RunHead> {
  const [run] = await ctx.db.query<RunHead[]>(headById, [runId]);
  return asReadable(ctx, runId, run);
}

/** Checks access to a run that was read before the caller was known. */
export function asReadable(ctx: Context, runId: string, run: RunHead | null | undefined): RunHead {
  if (!run || (run.accountId !== ctx.actor.accountId && !isServiceRole(ctx))) throw notFound('run', runId);
  requireScope(ctx, run.kind === 'lens' ? 'lenses:read' : 'workflows:read');
  return run;
}

/** Returns a run that the caller may cancel, retry or report; for a lens run the scope that starts one is enough. */
export async function writableRun(ctx: Context, runId: string): Promise<RunHead> {
  const run = await readableRun(ctx, runId);
  if (run.kind === 'workflow') requireScope(ctx, 'workflows:write');
  return run;
}

const scopeToRead = { lens: 'lenses:read', workflow: 'workflows:read' } as const;
const scopeToWrite = { lens: 'lenses:read', workflow: 'workflows:write' } as const;

/** Returns the requested kind of runs, or all kinds that the caller's scopes allow. */
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
