import type { FailedRuns, FailedRunsFilter } from '@lensforge/contracts';
import { type Context, DomainError, badInput, isUuid } from '@lensforge/core';
import { isTransient } from '@lensforge/database';
import type { CountRun } from '../accept/count-run.js';
import { retryRun } from '../accept/retry-run.js';
import { clockTolerance, toTimestamp } from '../read/run-filter.js';

const dayMs = 86_400_000;
const limits = { counted: 100_000, groups: 50, together: 10 };

/**
 * The failed runs of all accounts that a retry may help: not those that have a retry, that belong to a node whose run is
 * retried, that their callers execute or report, or whose accounts are closed.
 */
function retryable(filter: FailedRunsFilter): { condition: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const add = (value: unknown, type: string): string => `$${parameters.push(value)}::${type}`;
  const [from, to] = [toTimestamp(filter.createdAfter), toTimestamp(filter.createdBefore)];
  const rangeMs = to.getTime() - from.getTime();
  if (rangeMs <= 0) throw badInput('createdBefore', 'must be later than createdAfter');
  if (rangeMs > dayMs) throw badInput('createdAfter', 'must be at most 24 hours before createdBefore');
  const [after, before] = [add(from, 'timestamptz'), add(to, 'timestamptz')];
  const where = [
    `r.id >= first_id_of(${after} - ${clockTolerance})`,
    `r.id < first_id_of(${before} + ${clockTolerance})`,
    `r.created_at >= ${after}`,
    `r.created_at < ${before}`,
    `r.status in ('failed', 'timed_out')`,
    `coalesce(r.cause ->> 'kind', '') not in ('tracking', 'node')`,
    `r.funding_source is distinct from 'user_byok_local'`,
    `not exists (select from runs c where c.parent_run_id = r.id and c.kind = r.kind and c.cause ->> 'kind' is distinct from 'node'
                   and c.id >= first_id_of(r.created_at - ${clockTolerance}))`,
    `not exists (select from accounts a where a.id = r.account_id and a.closed_at is not null)`,
  ];
  const { account, errorCode, provider, model, lensId, workflowId } = filter;
  if (account !== undefined) where.push(`r.account_id = ${toAccountCondition(account, add)}`);
  if (errorCode !== undefined) where.push(`r.error_code = ${add(errorCode, 'text')}`);
  if (lensId !== undefined) where.push(`r.lens_id = ${add(lensId, 'uuid')}`);
  if (workflowId !== undefined) where.push(`r.workflow_id = ${add(workflowId, 'uuid')}`);
  const ofModels = [
    ...(provider === undefined ? [] : [`m.provider_key = ${add(provider, 'text')}`]),
    ...(model === undefined ? [] : [`${modelName} = ${add(model, 'text')}`]),
  ];
  if (ofModels.length > 0) where.push(`r.model_id in (select m.id from models m where ${ofModels.join(' and ')})`);
  return { condition: where.join(' and '), parameters };
}

const modelName = `m.provider_key || '/' || m.key`;

const toAccountCondition = (account: string, add: (value: unknown, type: string) => string): string =>
  isUuid(account)
    ? add(account, 'uuid')
    : `(select a.id from accounts a where a.handle = ${add(account.toLowerCase(), 'text')})`;

/** Counts the failed runs that match, by error and model. The caller checks access. */
export async function countFailedRuns({ db }: Context, filter: FailedRunsFilter): Promise<FailedRuns> {
  const { condition, parameters } = retryable(filter);
  const [found] = await db.query<[FailedRuns]>(
    `with found as materialized (
       select r.account_id, r.error_code, r.model_id, r.credit_hold from runs r where ${condition} limit ${limits.counted}
     ), groups as (
       select f.error_code as "errorCode", ${modelName} as model, count(*)::int as runs
         from found f left join models m on m.id = f.model_id
        group by 1, 2 order by 3 desc, 1, 2 limit ${limits.groups})
     select count(*)::int as runs, count(distinct account_id)::int as accounts,
            coalesce(sum(credit_hold), 0)::float8 as credits,
            (select coalesce(json_agg(g), '[]') from groups g) as groups
       from found`,
    parameters,
  );
  return found;
}

export interface FailedRun {
  runId: string;
  accountId: string;
}

export interface FailedRunsPage {
  /** Only runs with lower ids. */
  below?: string | undefined;
  limit: number;
}

/** Lists failed runs that match, the newest first. The caller checks access. */
export async function listFailedRuns(
  { db }: Context,
  filter: FailedRunsFilter,
  { below, limit }: FailedRunsPage,
): Promise<FailedRun[]> {
  const { condition, parameters } = retryable(filter);
  const most = `$${parameters.push(limit)}::int`;
  const page = below === undefined ? '' : `and r.id < $${parameters.push(below)}::uuid`;
  return db.query<FailedRun[]>(
    `select r.id as "runId", r.account_id as "accountId" from runs r where ${condition} ${page} order by r.id desc limit ${most}`,
    parameters,
  );
}

export interface RetryParts {
  countRun: CountRun;
  onFault: (reason: unknown, runId: string) => void;
}

/** The code of the refusal; null when there is a new run, undefined when there was a retry already. */
type Outcome = string | null | undefined;

/**
 * Retries runs in the name of their accounts, by the rules for retries of these accounts. A repeated call starts no run
 * again. Workflows keep the results of nodes that succeeded.
 */
export async function retryForAccounts(
  ctx: Context,
  runs: readonly FailedRun[],
  parts: RetryParts,
): Promise<{ retried: number; refused: { code: string; runs: number }[] }> {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < runs.length; at += limits.together) {
    const some = runs.slice(at, at + limits.together);
    outcomes.push(...(await Promise.all(some.map((run) => retryForAccount(ctx, run, parts)))));
  }
  const refused = new Map<string, number>();
  for (const code of outcomes) if (typeof code === 'string') refused.set(code, (refused.get(code) ?? 0) + 1);
  return {
    retried: outcomes.filter((outcome) => outcome === null).length,
    refused: [...refused].map(([code, runs]) => ({ code, runs })),
  };
}

async function retryForAccount(
  ctx: Context,
  { runId, accountId }: FailedRun,
  { countRun, onFault }: RetryParts,
): Promise<Outcome> {
  const owner: Context = { ...ctx, actor: { ...ctx.actor, accountId, userId: null } };
  try {
    const order = { runId, from: 'failed_nodes', idempotencyKey: 'by operators', countRun } as const;
    return (await retryRun(owner, order)).isNew ? null : undefined;
  } catch (reason) {
    if (isTransient(reason)) throw reason;
    if (reason instanceof DomainError) return reason.code;
    onFault(reason, runId);
    return 'INTERNAL';
  }
}
