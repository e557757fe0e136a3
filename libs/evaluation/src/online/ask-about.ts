import type { UsedScorer } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type EndedRun, readEndedRuns, readSpending } from '@lensforge/runs';
import { budgetIsUsed, lowestPriority, startRun } from '../experiments/start-run.js';
import { abstains, askJudge, judgeOf, readJudgement } from '../scorers/ask-judge.js';
import { type Judgement, type JudgedOutput, type Question, answerOffline, phrase } from '../scorers/judge-questions.js';
import { readScorerAnswers, startScorerCall } from '../scorers/scorer-calls.js';
import { type AskedQuestion, type EvaluationRuleRow, RunEvaluationRow } from './evaluation-rule.entity.js';
import { type PendingOutput, questionsOf } from './pending-output.js';

/** The judges of a rule that answer at the same time. */
const mostOpen = 20;

interface Asking {
  rule: EvaluationRuleRow;
  /** The context of the person with whose rights the rule acts. */
  owner: Context;
  timeoutMs: number;
}

interface AskedOutputs {
  /** Outputs about which all questions are answered. */
  ready: PendingOutput[];
  skipped: { runId: string; reason: string }[];
}

/** Asks judges about outputs as far as the credits of the day allow, and reads what they have answered. */
export async function askAbout(ctx: Context, asking: Asking, outputs: readonly PendingOutput[]): Promise<AskedOutputs> {
  const { rule } = asking;
  const questions = rule.scorers.flatMap((scorer, index) =>
    questionsOf(scorer).map((question, part) => ({ scorer, index, part, question })),
  );
  if (questions.length === 0) return { ready: [...outputs], skipped: [] };
  const answers = await readAnswers(ctx, rule, outputs);
  const found: AskedOutputs = { ready: [], skipped: [] };
  let isPaused = false;
  for (const output of outputs) {
    const { asked } = output;
    const collected = asked.filter((each) => collect(rule, each, { output, answers }));
    if (collected.length > 0) await store(ctx, rule, output);
    for (const { scorer, index, part, question } of questions) {
      let known = asked.find((each) => each.scorer === index && each.part === part);
      if (isPaused || known?.isDone || (known && known.askedIn !== null)) continue;
      known ??= { scorer: index, part, askedIn: null, fault: null, credits: 0, isDone: false };
      const start = await ask(ctx, asking, { output, scorer, question, asked: known });
      isPaused = start === 'later';
      if (isPaused) continue;
      if (typeof start === 'object' && asked.length === 0) {
        found.skipped.push({ runId: output.run.runId, reason: start.reason });
        break;
      }
      if (typeof start === 'object') Object.assign(known, abstains(start.reason), { isDone: true });
      if (!asked.includes(known)) asked.push(known);
      await store(ctx, rule, output);
    }
    if (asked.length === questions.length && asked.every(({ isDone }) => isDone)) found.ready.push(output);
  }
  return found;
}

interface Answers {
  runs: ReadonlyMap<string, EndedRun>;
  calls: ReadonlyMap<string, Judgement>;
}

async function readAnswers(ctx: Context, rule: EvaluationRuleRow, outputs: readonly PendingOutput[]): Promise<Answers> {
  const open = outputs.flatMap(({ asked }) => asked.filter(({ isDone, askedIn }) => !isDone && askedIn !== null));
  const isCall = ({ scorer }: AskedQuestion): boolean => rule.scorers[scorer]?.kind === 'http';
  const idsOf = (list: readonly AskedQuestion[]): string[] => list.flatMap(({ askedIn }) => askedIn ?? []);
  const runs = await readEndedRuns(ctx, idsOf(open.filter((each) => !isCall(each))));
  return {
    runs: new Map(runs.map((run) => [run.runId, run])),
    calls: await readScorerAnswers(ctx, idsOf(open.filter(isCall))),
  };
}

/** Takes the answer to a question, if there is one; one that cannot be read is asked for once more. */
function collect(
  rule: EvaluationRuleRow,
  asked: AskedQuestion,
  { output, answers }: { output: PendingOutput; answers: Answers },
): boolean {
  if (asked.isDone || asked.askedIn === null) return false;
  const answer = answers.calls.get(asked.askedIn);
  if (answer) Object.assign(asked, answer, { isDone: true });
  const run = answers.runs.get(asked.askedIn);
  const scorer = rule.scorers[asked.scorer];
  const question = scorer && questionsOf(scorer)[asked.part];
  if (!run || !question) return answer !== undefined;
  asked.credits += run.credits;
  const read = readJudgement(run, phrase(question, toJudged(output), seedOf(rule, output, asked)), asked.fault);
  Object.assign(asked, read, 'fault' in read ? { askedIn: null } : { isDone: true });
  return true;
}

/** Asks a question; `later` when no more runs start for a while, or the reason why there is no answer. */
async function ask(
  ctx: Context,
  { rule, owner, timeoutMs }: Asking,
  {
    output,
    scorer,
    question,
    asked,
  }: { output: PendingOutput; scorer: UsedScorer; question: Question; asked: AskedQuestion },
): Promise<'asked' | 'later' | { reason: string }> {
  const judged = toJudged(output);
  const { open, left } = await readBudget(ctx, rule);
  if (open >= mostOpen) return 'later';
  if (question.rule.kind === 'http') {
    asked.askedIn = await startScorerCall(owner, { scorer, judged, calls: null });
    return 'asked';
  }
  const judge = await judgeOf(owner, question.rule);
  if (judge === 'offline') {
    Object.assign(asked, await answerOffline(question, judged, rule.accountId), { isDone: true });
    return 'asked';
  }
  if (!judge) {
    Object.assign(asked, abstains(`the model ${question.rule.model} is not offered any more`), { isDone: true });
    return 'asked';
  }
  const isUsedUp = { reason: `the ${rule.creditsPerDay} credits a day of the rule do not suffice for another judge` };
  if (left <= 0) return isUsedUp;
  const seed = seedOf(rule, output, asked);
  const started = await startRun(() =>
    askJudge(owner, judge, {
      question: phrase(question, judged, seed),
      fault: asked.fault,
      cause: { kind: 'scorer', scorerId: scorer.scorerId ?? '' },
      timeoutMs,
      idempotencyKey: asked.fault === null ? seed : `${seed}:again`,
      maxCredits: left,
      priority: lowestPriority,
      fundingSource: null,
      byokKeyId: null,
    }),
  );
  if ('runId' in started) {
    asked.askedIn = started.runId;
    return 'asked';
  }
  if ('error' in started) {
    Object.assign(asked, abstains(started.error), { isDone: true });
    return 'asked';
  }
  if (started.stop === 'later') return 'later';
  return started.stop === budgetIsUsed ? isUsedUp : started.stop;
}

/** The judges of a rule that have not answered, and the credits that neither they nor others of the day have cost or may cost. */
async function readBudget(ctx: Context, { id }: EvaluationRuleRow): Promise<{ open: number; left: number }> {
  const [budget] = await ctx.db.query<[{ left: number; open: string[] }]>(
    `select (credits_per_day - case when spent_on = (now() at time zone 'utc')::date then spent else 0 end - a.credits)::float8 as left,
            a.open
       from evaluation_rules,
            (select coalesce(array_agg(q ->> 'askedIn') filter (where q ->> 'askedIn' is not null and not (q ->> 'isDone')::boolean), '{}') as open,
                    coalesce(sum((q ->> 'credits')::bigint), 0) as credits
               from run_evaluations e, json_array_elements(e.asked) q
              where e.rule_id = $1 and e.state = 'pending') a
      where id = $1`,
    [id],
  );
  const { left, open } = budget;
  return { open: open.length, left: Math.floor(left - (await readSpending(ctx, open))) };
}

function seedOf({ id, scorers }: EvaluationRuleRow, { run }: PendingOutput, { scorer, part }: AskedQuestion): string {
  const { scorerId, version } = scorers[scorer] ?? {};
  return `evaluation:${id}:${run.runId}:${scorerId}:${version}:${part}`;
}

const toJudged = ({ run, params, toolCalls }: PendingOutput): JudgedOutput => ({
  output: run.output ?? '',
  params,
  expected: null,
  baseline: '',
  toolCalls,
});

/** Stores what was asked, so that a judge is not asked again after a loss. */
const store = ({ db }: Context, { id: ruleId }: EvaluationRuleRow, { run: { runId }, asked }: PendingOutput) =>
  db.update(RunEvaluationRow, { runId, ruleId, state: 'pending' }, { asked });
