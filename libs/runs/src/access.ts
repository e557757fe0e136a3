import { type RunKind, type RunStatus, type Scope, grants, runKinds } from '@lensforge/contracts';
import { type Context, isServiceRole, notFound, requireScope } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';

export interface RunHead {
  id: string;
  accountId: string;
  kind: RunKind;
  /** The kind whose scopes apply. */
  scopeKind: RunKind;
  status: RunStatus;
  lastSequence: number;
  completedAt: string | null;
}

/** SQL for the kind whose scopes apply: a program that calls models in the form of another API needs those of lenses. */
export const scopeKindSql = `case when kind = 'prompt' and cause ? 'openai' then 'lens' else kind end`;

/**
 * SQL for the parameters of a run that its owner may read. Those of judgements and of prompts that no program sent are
 * left out: the parameters of a judgement contain the answers of a battle that the owner may not see yet.
 */
export const readableParams = (run: string, readsPrograms = true): string => {
  const ofPrograms = readsPrograms ? ` or ${run}.cause ? 'openai'` : '';
  return `case when ${run}.kind in ('lens', 'workflow')${ofPrograms} then ${run}.params end`;
};

/** True if the caller may read the prompts that programs sent in the form of another API. */
export const readsPrograms = (ctx: Context): boolean =>
  isServiceRole(ctx) || grants(ctx.actor.scopes, scopeToRead.lens);

const headById = preparedStatement(`
  select id, account_id as "accountId", kind, ${scopeKindSql} as "scopeKind", status, last_sequence as "lastSequence",
         iso(completed_at) as "completedAt"
    from runs where id = $1 limit 1`);

/** The scopes for each kind of run: starting a lens run takes no more than reading the lens. */
export const scopeToRead: Readonly<Record<RunKind, Scope>> = {
  lens: 'lenses:read',
  workflow: 'workflows:read',
  prompt: 'community:read',
  judging: 'community:read',
};
const scopeToWrite: Readonly<Record<RunKind, Scope>> = {
  lens: 'lenses:read',
  workflow: 'workflows:write',
  prompt: 'community:write',
  judging: 'community:write',
};

/** Returns a run of the caller's account; needs the scope that reads its kind. */
export async function readableRun(ctx: Context, runId: string): Promise<RunHead> {
  const [run] = await ctx.db.query<RunHead[]>(headById, [runId]);
  return asReadable(ctx, runId, run);
}

/** Checks access to a run that was read before the caller was known. */
export function asReadable(ctx: Context, runId: string, run: RunHead | null | undefined): RunHead {
  if (!run || (run.accountId !== ctx.actor.accountId && !isServiceRole(ctx))) throw notFound('run', runId);
  requireScope(ctx, scopeToRead[run.scopeKind]);
  return run;
}

/** Returns a run that the caller may cancel, retry or report. */
export async function writableRun(ctx: Context, runId: string): Promise<RunHead> {
  const run = await readableRun(ctx, runId);
  requireScope(ctx, scopeToWrite[run.scopeKind]);
  return run;
}

/** Returns the requested kind of runs, or all kinds that the caller's scopes allow. */
export function kindsFor(ctx: Context, wanted?: RunKind, scopes: typeof scopeToRead = scopeToRead): RunKind[] {
  if (wanted) {
    requireScope(ctx, scopes[wanted]);
    return [wanted];
  }
  const kinds = runKinds.filter((kind) => isServiceRole(ctx) || grants(ctx.actor.scopes, scopes[kind]));
  if (kinds.length === 0) requireScope(ctx, scopes.lens);
  return kinds;
}

export const writableKinds = (ctx: Context, wanted?: RunKind): RunKind[] => kindsFor(ctx, wanted, scopeToWrite);
