import { setTimeout as pause } from 'node:timers/promises';
import type { SampleScore, ScorerSample, ScorerTested, UsedScorer } from '@lensforge/contracts';
import { type Context, DomainError, badInput, newId, requireScope } from '@lensforge/core';
import { readEndedRuns } from '@lensforge/runs';
import { checkInSandbox } from '../checks/check-in-sandbox.js';
import type { Assertion } from '../checks/assertion.js';
import { abstains, askJudge, judgeOf, readJudgement } from './ask-judge.js';
import {
  type Judgement,
  type JudgedOutput,
  type Question,
  answerOffline,
  phrase,
  questionsAbout,
  scoreJudged,
  toJudge,
  unlessMissing,
  withJudgements,
} from './judge-questions.js';
import { forgetScorerCalls, readScorerAnswers, startScorerCall } from './scorer-calls.js';
import { readScorer } from './stored-scorers.js';

export interface ScorerTrial {
  scorerId: string;
  version?: number | undefined;
  samples: readonly ScorerSample[];
  timeoutMs: number;
  /** Answers of judges are waited for so long. */
  waitMs: number;
}

/** Scores outputs of the caller with a stored scorer, without an experiment. */
export async function testScorer(ctx: Context, trial: ScorerTrial): Promise<ScorerTested> {
  requireScope(ctx, 'lenses:write');
  const { id: scorerId, name, version, rule } = await readScorer(ctx, trial);
  const scorer = { ...rule, scorerId, name, version };
  const missing = trial.samples.findIndex(({ baseline }) => (rule.kind === 'pairwise') !== (baseline !== undefined));
  if (missing >= 0) {
    throw badInput(
      `samples.${missing}.baseline`,
      rule.kind === 'pairwise' ? 'is required with a pairwise scorer' : `is not used with the kind ${rule.kind}`,
    );
  }
  const deadline = performance.now() + trial.waitMs;
  const scores = await Promise.all(
    trial.samples.map((sample) => scoreSample(ctx, scorer, { sample, trial, deadline })),
  );
  return { version, scores: scores.map((score) => ({ scorer: name, ...score })) };
}

type Scored = Omit<SampleScore, 'scorer'>;

interface Trial {
  sample: ScorerSample;
  trial: ScorerTrial;
  deadline: number;
}

async function scoreSample(ctx: Context, rule: UsedScorer, { sample, ...more }: Trial): Promise<Scored> {
  const { output, params = {}, expected = null, baseline = '' } = sample;
  const assertions = (rule.assertions ?? []) as unknown as Assertion[];
  const questions = questionsAbout(rule, assertions);
  const judged = { output, params, expected, baseline };
  const answers = await Promise.all(
    questions.map((question) =>
      rule.kind === 'http' ? call(ctx, { scorer: rule, judged, ...more }) : ask(ctx, { question, judged, ...more }),
    ),
  );
  const credits = answers.reduce((sum, each) => sum + each.credits, 0);
  const judge = questions.length > 0 ? toJudge(rule, answers) : null;
  if (rule.kind !== 'check') return { ...scoreJudged(rule, answers), assertions: [], judge, credits };
  const task = {
    check: { assertions: withJudgements(rule, assertions, answers), threshold: rule.threshold },
    subject: { output, params, expected, latencyMs: null, credits: null },
  };
  const [score] = await checkInSandbox([task], ctx.actor.accountId);
  if (!score) throw new Error('one task has one score');
  return { ...unlessMissing(score, answers), judge, credits };
}

/** A question that was answered, or asked in a run. */
interface Asked extends Judgement {
  runIds: string[];
  credits: number;
}

interface Asking {
  question: Question;
  judged: JudgedOutput;
  trial: ScorerTrial;
  deadline: number;
}

async function ask(ctx: Context, { question, judged, trial, deadline }: Asking): Promise<Asked> {
  const { accountId } = ctx.actor;
  const { rule } = question;
  const judge = await judgeOf(ctx, rule);
  if (judge === 'offline') return { ...(await answerOffline(question, judged, accountId)), runIds: [], credits: 0 };
  const asked: Asked = { ...abstains(`the model ${rule.model} is not offered any more`), runIds: [], credits: 0 };
  if (!judge) return asked;
  const key = `scorer:${trial.scorerId}:${newId()}`;
  const phrased = phrase(question, judged, key);
  let fault: string | null = null;
  try {
    for (const idempotencyKey of [key, `${key}:again`]) {
      const { runId } = await askJudge(ctx, judge, {
        question: phrased,
        fault,
        cause: { kind: 'scorer', scorerId: trial.scorerId },
        timeoutMs: trial.timeoutMs,
        priority: 0,
        idempotencyKey,
        fundingSource: null,
        byokKeyId: null,
      });
      asked.runIds.push(runId);
      const run = await waitFor(ctx, runId, deadline);
      if (!run) return { ...asked, ...abstains('it has not answered in time; its run goes on') };
      asked.credits += run.credits;
      const read: Judgement | { fault: string } = readJudgement(run, phrased, fault);
      if (!('fault' in read)) return { ...asked, ...read };
      ({ fault } = read);
    }
    return asked;
  } catch (reason) {
    if (!(reason instanceof DomainError)) throw reason;
    return { ...asked, ...abstains(reason.message) };
  }
}

async function call(
  ctx: Context,
  { scorer, judged, deadline }: Pick<Asking, 'judged' | 'deadline'> & { scorer: UsedScorer },
): Promise<Asked> {
  const none = { runIds: [], credits: 0 };
  const id = await startScorerCall(ctx, { scorer, judged, calls: null });
  for (;;) {
    const answer = (await readScorerAnswers(ctx, [id])).get(id);
    if (answer) {
      await forgetScorerCalls(ctx, [id]);
      return { ...answer, ...none };
    }
    if (performance.now() + lookEveryMs > deadline) return { ...abstains('it has not answered in time'), ...none };
    await pause(lookEveryMs);
  }
}

const lookEveryMs = 100;

async function waitFor(ctx: Context, runId: string, deadline: number) {
  for (;;) {
    const [run] = await readEndedRuns(ctx, [runId]);
    if (run) return run;
    if (performance.now() + lookEveryMs > deadline) return undefined;
    await pause(lookEveryMs);
  }
}
