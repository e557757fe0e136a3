import { hash } from 'node:crypto';
import type { Backfill } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type RunToEvaluate, listEndedRuns, listNewRuns } from '@lensforge/runs';
import { EvaluationRuleRow } from './evaluation-rule.entity.js';
import { writableRule } from './rule-access.js';

const runsAtOnce = 2000;
/** Runs are looked at again for this time: an acceptance may commit late, and clocks of servers differ. */
const settledAfterMs = 60_000;
const mostOfBackfill = 10_000;

type Filter = Pick<EvaluationRuleRow, 'label' | 'tag' | 'share'>;

/** Why a rule passes over a run; undefined when it is evaluated. */
export function passedOver({ label, tag, share }: Filter, run: RunToEvaluate): string | undefined {
  if (label !== null && run.label !== label) return `the label ${label} did not decide about its version`;
  if (tag !== null && !run.tags.includes(tag)) return `it does not have the tag ${tag}`;
  if (toShare(run.runId) >= share) return `it is outside of the share of ${Number((share * 100).toFixed(2))} %`;
  return undefined;
}

/** A number from 0 to 1 by the hash of a run's id. */
const toShare = (runId: string): number => Number.parseInt(hash('sha256', runId).slice(0, 12), 16) / 2 ** 48;

/** Chooses among the runs that were accepted since the last look. Returns true when there are more. */
export async function chooseNewRuns(ctx: Context, rule: EvaluationRuleRow): Promise<boolean> {
  const { accountId, seenUntil: from } = rule;
  const runs = await listNewRuns(ctx, { accountId, targetId: targetOf(rule), from, limit: runsAtOnce });
  await addEvaluations(ctx, rule, runs);
  const hasMore = runs.length === runsAtOnce;
  const settled = new Date(ctx.now().getTime() - settledAfterMs);
  const last = runs.at(-1);
  const seenUntil = hasMore && last ? acceptedAt(last.runId) : settled;
  if (seenUntil <= from) return false;
  await ctx.db.update(EvaluationRuleRow, { id: rule.id }, { seenUntil });
  return hasMore;
}

/** Lets a rule of the caller evaluate runs that were accepted earlier. */
export async function backfillEvaluationRule(
  ctx: Context,
  { ruleId, from, to }: { ruleId: string; from: string; to?: string | undefined },
): Promise<Backfill> {
  const [start, end] = [new Date(from), to === undefined ? ctx.now() : new Date(to)];
  if (end <= start) throw badInput('to', 'must be later than from');
  return inTransaction(ctx, async (ctx) => {
    const rule = await writableRule(ctx, ruleId);
    const range = { accountId: rule.accountId, targetId: targetOf(rule), from: start, to: end };
    const runs = await listEndedRuns(ctx, { ...range, limit: mostOfBackfill });
    const added = await addEvaluations(ctx, rule, runs);
    await ctx.db.update(EvaluationRuleRow, { id: rule.id }, { dueAt: ctx.now() });
    const last = runs.length === mostOfBackfill ? runs.at(-1) : undefined;
    // Runs of the same millisecond are looked at again.
    const next = last && new Date(acceptedAt(last.runId).getTime() + 1);
    return { runs: runs.length, added, continueWith: next && next < end ? next.toISOString() : null };
  });
}

/** Lets the runs that fit wait for their evaluation, each once, and returns the number of new ones. */
async function addEvaluations(
  { db }: Context,
  rule: EvaluationRuleRow,
  runs: readonly RunToEvaluate[],
): Promise<number> {
  const ids = runs.filter((run) => passedOver(rule, run) === undefined).map(({ runId }) => runId);
  if (ids.length === 0) return 0;
  const rows = await db.query<unknown[]>(
    `insert into run_evaluations (run_id, rule_id, account_id, state, due_at)
     select id, $2, $3, 'pending', now() from unnest($1::uuid[]) id on conflict do nothing returning run_id`,
    [ids, rule.id, rule.accountId],
  );
  return rows.length;
}

export const targetOf = ({ workflowId, lensId }: Pick<EvaluationRuleRow, 'workflowId' | 'lensId'>): string =>
  workflowId ?? lensId ?? '';

/** The time in the id of a run. */
export const acceptedAt = (runId: string): Date =>
  new Date(Number.parseInt(runId.replaceAll('-', '').slice(0, 12), 16));
