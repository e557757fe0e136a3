import { setTimeout as pause } from 'node:timers/promises';
import type { SampleScore, ScorerRule, ScorerSample, ScorerTested } from '@lensforge/contracts';
import { type Context, DomainError, badInput, newId, requireScope } from '@lensforge/core';
import { readEndedRuns } from '@lensforge/runs';
import { checkInSandbox } from '../checks/check-in-sandbox.js';
import type { Assertion } from '../checks/assertion.js';
import { abstains, askJudge, judgeOf, readAnswer } from './ask-judge.js';
import {
  type Judgement,
  type JudgedOutput,
  answerOffline,
  countQuestions,
  isJudged,
  promptOf,
  questionOf,
  scoreJudged,
} from './judge-questions.js';
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
  const { name, version, rule } = await readScorer(ctx, trial);
  const missing = trial.samples.findIndex(({ baseline }) => (rule.kind === 'pairwise') !== (baseline !== undefined));
  if (missing >= 0) {
    throw badInput(
      `samples.${missing}.baseline`,
      rule.kind === 'pairwise' ? 'is required with a pairwise scorer' : `is not used with the kind ${rule.kind}`,
    );
  }
  const scores = isJudged(rule) ? await judgeSamples(ctx, rule, trial) : await checkSamples(ctx, rule, trial);
  return { version, scores: scores.map((score) => ({ scorer: name, ...score })) };
}

type Scored = Omit<SampleScore, 'scorer'>;

async function checkSamples(
  ctx: Context,
  { assertions = [], threshold }: ScorerRule,
  { samples }: ScorerTrial,
): Promise<Scored[]> {
  const tasks = samples.map(({ output, params = {}, expected }) => ({
    check: { assertions: assertions as unknown as Assertion[], threshold },
    subject: { output, params, expected: expected ?? null, latencyMs: null, credits: null },
  }));
  const scores = await checkInSandbox(tasks, ctx.actor.accountId);
  return scores.map((score) => ({ ...score, error: null, judge: null, credits: 0 }));
}

/** A question that was answered, or asked in a run. */
interface Asked extends Judgement {
  runIds: string[];
  credits: number;
}

function judgeSamples(ctx: Context, rule: ScorerRule, trial: ScorerTrial): Promise<Scored[]> {
  const deadline = performance.now() + trial.waitMs;
  return Promise.all(
    trial.samples.map(async ({ output, params = {}, expected, baseline = '' }) => {
      const judged = { output, params, expected: expected ?? null, baseline };
      const answers = await Promise.all(
        Array.from({ length: countQuestions(rule) }, (_, part) => ask(ctx, { rule, part, judged, trial, deadline })),
      );
      const runIds = answers.flatMap(({ runIds }) => runIds);
      const { version, hash } = promptOf(rule);
      const byModel = runIds.length > 0 ? { prompt: version, promptHash: hash } : { prompt: null, promptHash: null };
      return {
        ...scoreJudged(rule, answers),
        assertions: [],
        judge: { model: runIds.length > 0 ? (rule.model ?? 'offline') : 'offline', ...byModel, runIds },
        credits: answers.reduce((sum, { credits }) => sum + credits, 0),
      };
    }),
  );
}

interface Question {
  rule: ScorerRule;
  part: number;
  judged: JudgedOutput;
  trial: ScorerTrial;
  deadline: number;
}

async function ask(ctx: Context, { rule, part, judged, trial, deadline }: Question): Promise<Asked> {
  const { accountId } = ctx.actor;
  const judge = await judgeOf(ctx, rule);
  if (judge === 'offline') return { ...(await answerOffline(rule, part, judged, accountId)), runIds: [], credits: 0 };
  const asked: Asked = { ...abstains(`the model ${rule.model} is not offered any more`), runIds: [], credits: 0 };
  if (!judge) return asked;
  const key = `scorer:${trial.scorerId}:${newId()}`;
  const question = questionOf(rule, part, judged, key);
  let fault: string | null = null;
  try {
    for (const idempotencyKey of [key, `${key}:again`]) {
      const { runId } = await askJudge(ctx, judge, {
        question,
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
      const read = readAnswer(run, question);
      if (!('fault' in read)) return { ...asked, ...read };
      ({ fault } = read);
    }
    return { ...asked, ...abstains(`two answers could not be read, and the second one ${fault}`) };
  } catch (reason) {
    if (!(reason instanceof DomainError)) throw reason;
    return { ...asked, ...abstains(reason.message) };
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
