import type { EvaluationState, RunEvaluation } from '@lensforge/contracts';
import { type Context, type CountedPage, type PagePosition, countedPage } from '@lensforge/core';
import { type EvaluatedRun, readRunToEvaluate, readableRun } from '@lensforge/runs';
import { RunScoreRow } from '../scores/run-score.entity.js';
import { toRunScore } from '../scores/run-scores.js';
import { acceptedAt, passedOver } from './choose-runs.js';
import { EvaluationRuleRow, RunEvaluationRow } from './evaluation-rule.entity.js';

/** The state of a run for each rule of the caller, with its reason; the newest rule first. */
export async function listRunEvaluations(
  ctx: Context,
  { runId, limit, offset = 0 }: { runId: string } & PagePosition,
): Promise<CountedPage<RunEvaluation>> {
  const { accountId } = await readableRun(ctx, runId);
  const run = await readRunToEvaluate(ctx, runId);
  if (!run) return countedPage([], { limit, offset, total: 0 });
  const { targetId } = run;
  const [rules, total] = await ctx.db.findAndCount(EvaluationRuleRow, {
    where: [
      { accountId, lensId: targetId },
      { accountId, workflowId: targetId },
    ],
    order: { id: 'DESC' },
    take: limit,
    skip: offset,
  });
  const known = await ctx.db.findBy(RunEvaluationRow, { runId });
  const scores = await ctx.db.findBy(RunScoreRow, { runId, source: 'rule' });
  const evaluations = rules.map((rule): RunEvaluation => {
    const found = known.find(({ ruleId }) => ruleId === rule.id);
    const of = { ruleId: rule.id, rule: rule.name };
    if (!found) return { ...of, ...whyNot(rule, run), credits: 0, scores: [], endedAt: null };
    const { state, reason, credits, endedAt } = found;
    const own = scores.filter(({ ruleId }) => ruleId === rule.id).map(toRunScore);
    const waits = state === 'pending' ? whyPending(rule, run) : reason;
    return {
      ...of,
      state,
      reason: waits,
      credits: Number(credits),
      scores: own,
      endedAt: endedAt?.toISOString() ?? null,
    };
  });
  return countedPage(evaluations, { limit, offset, total });
}

/** Why a rule has not chosen a run. */
function whyNot(rule: EvaluationRuleRow, run: EvaluatedRun): { state: EvaluationState; reason: string } {
  const skipped = (reason: string) => ({ state: 'skipped', reason }) as const;
  if (!run.isOfCaller) return skipped('runs of experiments and battles are not evaluated');
  const passed = passedOver(rule, run);
  if (passed !== undefined) return skipped(passed);
  const accepted = acceptedAt(run.runId);
  if (accepted < rule.createdAt) return skipped('it was accepted before the rule was created: a backfill evaluates it');
  if (accepted < rule.seenUntil) return skipped('the rule did not act when it was accepted: a backfill evaluates it');
  return { state: 'pending', reason: whyPending(rule, run) };
}

function whyPending({ enabled, suspendedAt }: EvaluationRuleRow, { hasEnded }: EvaluatedRun): string {
  if (suspendedAt) return 'the rule is suspended: take it over';
  if (!enabled) return 'the rule is switched off';
  return hasEnded ? 'its evaluation is under way' : 'the run has not ended';
}
