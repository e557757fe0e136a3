import { type Context, readRights } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { type RunTarget, readEndedRuns, readParamsOfRuns, readRunTargets } from '@lensforge/runs';
import { checkInSandbox } from '../checks/check-in-sandbox.js';
import { needsToolCalls } from '../checks/check-output.js';
import { readCallsOf, toTask } from '../experiments/score-cells.js';
import { type NewScore, addScores } from '../scores/run-scores.js';
import {
  type Judgement,
  isAboutCalls,
  scoreJudged,
  toJudge,
  unlessMissing,
  withJudgements,
} from '../scorers/judge-questions.js';
import { forgetScorerCalls } from '../scorers/scorer-calls.js';
import { askAbout } from './ask-about.js';
import { acceptedAt } from './choose-runs.js';
import type { AskedQuestion, EvaluationRuleRow } from './evaluation-rule.entity.js';
import { type PendingOutput, assertionsOf, questionsOf } from './pending-output.js';

const atATime = 100;
const longestPauseMs = 3_600_000;
/** Judges are looked at again after this time. */
const judgePauseMs = 2000;

/** The number of runs that were evaluated or skipped. */
export interface EndedEvaluations {
  evaluated: number;
  skipped: number;
}

/** Evaluates runs that wait for a rule and have ended. */
export async function evaluatePending(
  ctx: Context,
  rule: EvaluationRuleRow,
  timeoutMs: number,
): Promise<EndedEvaluations> {
  const due = await ctx.db.query<{ runId: string; asked: AskedQuestion[] | null }[]>(
    `select run_id as "runId", asked from run_evaluations
      where rule_id = $1 and state = 'pending' and due_at <= now() order by due_at limit $2`,
    [rule.id, atATime],
  );
  if (due.length === 0) return { evaluated: 0, skipped: 0 };
  const { accountId, authority } = rule;
  const { scopes, creditLimit } = readRights(authority);
  const credential = { kind: 'service', id: rule.id, ...(creditLimit && { creditLimit }) } as const;
  const owner: Context = { ...ctx, actor: { credential, accountId, userId: null, scopes } };

  const ended = new Map(
    (
      await readEndedRuns(
        ctx,
        due.map(({ runId }) => runId),
      )
    ).map((run) => [run.runId, run]),
  );
  const failed = [...ended.values()].filter(({ status }) => status !== 'succeeded');
  await skip(
    ctx,
    rule,
    failed.map(({ runId, status }) => ({ runId, reason: `the run has ended as ${status}` })),
  );
  const outputs = await readOutputs(
    ctx,
    rule,
    due.flatMap(({ runId, asked }) => {
      const run = ended.get(runId);
      return run?.status === 'succeeded' ? [{ run, asked: asked ?? [] }] : [];
    }),
  );
  const { ready, skipped } = await askAbout(ctx, { rule, owner, timeoutMs }, outputs);
  await skip(ctx, rule, skipped);
  await finish(ctx, rule, ready);
  const isEnded = (list: readonly { runId: string }[], id: string): boolean => list.some(({ runId }) => runId === id);
  const left = due.filter(({ runId }) => !isEnded(skipped, runId) && !ready.some(({ run }) => run.runId === runId));
  await lookLater(
    ctx,
    rule,
    left.map(({ runId }) => ({ runId, pauseMs: ended.has(runId) ? judgePauseMs : pauseOf(ctx, runId) })),
  );
  return { evaluated: ready.length, skipped: failed.length + skipped.length };
}

/** The outputs with what the scorers of a rule need to know about them. */
async function readOutputs(
  ctx: Context,
  { scorers }: EvaluationRuleRow,
  ended: readonly Pick<PendingOutput, 'run' | 'asked'>[],
): Promise<PendingOutput[]> {
  const ids = ended.map(({ run }) => run.runId);
  const asksForCalls = scorers.some(
    (scorer) => assertionsOf(scorer).some(needsToolCalls) || questionsOf(scorer).some(isAboutCalls),
  );
  const params = await readParamsOfRuns(ctx, ids);
  const calls = asksForCalls ? await readCallsOf(ctx, ids) : undefined;
  return ended.map(({ run, asked }) => ({
    run,
    asked,
    params: params.get(run.runId) ?? {},
    toolCalls: calls?.get(run.runId),
  }));
}

/** Scores outputs about which all questions are answered, and ends their evaluations, each once. */
async function finish(ctx: Context, rule: EvaluationRuleRow, ready: readonly PendingOutput[]): Promise<void> {
  if (ready.length === 0) return;
  const judgementsOf = ({ asked }: PendingOutput, scorer: number) =>
    asked.filter((each) => each.scorer === scorer) as (AskedQuestion & Judgement)[];
  const checks = ready.flatMap((output) =>
    rule.scorers.flatMap((scorer, index) => {
      if (scorer.kind !== 'check') return [];
      const { run, params, toolCalls } = output;
      const assertions = withJudgements(scorer, assertionsOf(scorer), judgementsOf(output, index));
      return toTask(scorer, assertions, { cell: { params, metadata: null, expected: null }, run, toolCalls });
    }),
  );
  const results = (await checkInSandbox(checks, rule.accountId)).values();
  const scored = ready.map((output) => ({
    runId: output.run.runId,
    credits: output.asked.reduce((sum, { credits }) => sum + credits, 0),
    scores: rule.scorers.map((scorer, index): NewScore => {
      const judgements = judgementsOf(output, index);
      const found =
        scorer.kind === 'check'
          ? unlessMissing(results.next().value ?? missingResult(), judgements)
          : scoreJudged(scorer, judgements);
      const runIds = judgements.map(({ askedIn }) => ({ runIds: askedIn === null ? [] : [askedIn] }));
      const { error, pass, reason } = found;
      const score = error === null ? found.score : null;
      const judge = judgements.length > 0 ? toJudge(scorer, runIds) : null;
      return { name: scorer.name, source: 'rule', ruleId: rule.id, score, pass, reason, error, judge };
    }),
  }));
  const targets = new Map(
    (
      await readRunTargets(
        ctx,
        scored.map(({ runId }) => runId),
      )
    ).map((run) => [run.runId, run]),
  );
  await inTransaction(ctx, async (ctx) => {
    const [ended] = await ctx.db.query<[{ runId: string }[], number]>(
      `update run_evaluations e set state = 'evaluated', ended_at = now(), due_at = null, asked = null, credits = x.credits
         from jsonb_to_recordset($2::jsonb) as x("runId" uuid, credits bigint)
        where e.rule_id = $1 and e.run_id = x."runId" and e.state = 'pending' returning e.run_id as "runId"`,
      [rule.id, toJsonb(scored)],
    );
    const now = scored.filter(({ runId }) => ended.some((each) => each.runId === runId));
    await countCredits(
      ctx,
      rule,
      now.reduce((sum, { credits }) => sum + credits, 0),
    );
    await addScores(
      ctx,
      now.flatMap(({ runId, scores }) => {
        const run: RunTarget | undefined = targets.get(runId);
        return run ? scores.map((score) => ({ run, score })) : [];
      }),
    );
  });
  const calls = ready.flatMap(({ asked }) => asked.filter(({ scorer }) => rule.scorers[scorer]?.kind === 'http'));
  await forgetScorerCalls(
    ctx,
    calls.flatMap(({ askedIn }) => askedIn ?? []),
  );
}

function missingResult(): never {
  throw new Error('each check has a result');
}

async function countCredits({ db }: Context, { id }: EvaluationRuleRow, credits: number): Promise<void> {
  if (credits === 0) return;
  await db.query(
    `update evaluation_rules set spent = case when spent_on = today then spent else 0 end + $2, spent_on = today
       from (select (now() at time zone 'utc')::date as today) t where id = $1`,
    [id, credits],
  );
}

async function skip(
  { db }: Context,
  { id }: EvaluationRuleRow,
  skipped: readonly { runId: string; reason: string }[],
): Promise<void> {
  if (skipped.length === 0) return;
  await db.query(
    `update run_evaluations e set state = 'skipped', reason = x.reason, ended_at = now(), due_at = null, asked = null
       from jsonb_to_recordset($2::jsonb) as x("runId" uuid, reason text)
      where e.rule_id = $1 and e.run_id = x."runId" and e.state = 'pending'`,
    [id, toJsonb(skipped)],
  );
}

/** A run that has not ended is looked at after a time that grows with its age. */
const pauseOf = (ctx: Context, runId: string): number =>
  Math.min(longestPauseMs, judgePauseMs + Math.max(0, ctx.now().getTime() - acceptedAt(runId).getTime()) / 8);

async function lookLater(
  { db }: Context,
  { id }: EvaluationRuleRow,
  pauses: readonly { runId: string; pauseMs: number }[],
): Promise<void> {
  if (pauses.length === 0) return;
  await db.query(
    `update run_evaluations e set due_at = now() + x."pauseMs" * interval '1 ms'
       from jsonb_to_recordset($2::jsonb) as x("runId" uuid, "pauseMs" float8)
      where e.rule_id = $1 and e.run_id = x."runId" and e.state = 'pending'`,
    [id, toJsonb(pauses)],
  );
}
