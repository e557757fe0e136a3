import {
  type HeldJudging,
  type Judgement,
  type LoadedJudging,
  type NewJudgement,
  type StoredJudgement,
  type Verdict,
  creatorVerdicts,
  creditsLeft,
  reasonWithoutModel,
  reportJudging,
} from '@lensforge/battles';
import { isTerminal } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { criterionPrompt, pairPrompt } from '@lensforge/judges';
import { modelById, toModelName } from '@lensforge/models';
import { type NewRunEvent, countFruitlessRetries, readTries } from '@lensforge/runs';
import { type RunAttempt, Stopped } from '../engine/attempt.js';
import { contextOfRun } from '../engine/context-of-run.js';
import { withLongRetry } from '../engine/database-writes.js';
import type { AppendEvents, ExecuteJudging } from '../engine/run.js';
import { RunFailure } from '../engine/run-failure.js';
import type { RunOutput } from '../engine/run-output.js';
import type { WorkerParts } from '../engine/worker-parts.js';
import { askModel } from './ask-model.js';
import { type Judge, modelJudge, offlineJudge } from './judges.js';
import { type JudgingItem, type JudgingMode, createMode } from './judging-modes.js';
import { type JudgingStore, openJudgingStore } from './judging-store.js';

export interface JudgingParts extends WorkerParts {
  /** The number of items that one run judges at a time. */
  concurrency: number;
}

/** Executes judging runs: judges what has no judgement yet, and writes the verdicts. */
export function judgingExecutor(parts: JudgingParts): ExecuteJudging {
  const store = openJudgingStore(parts.ctx);
  return async (attempt, append) => {
    const { battleId } = attempt.run.params;
    if (typeof battleId !== 'string') throw new RunFailure('INTERNAL', 'The run has no battle');
    const ctx = contextOfRun(parts.ctx, attempt.run);
    const loaded = await store.load(battleId);
    if (!loaded) throw nothingToJudge('The battle does not exist');
    const { status } = loaded.battle;
    if (status !== 'scoring') throw nothingToJudge(`The battle is ${status}`);
    if (await hasOlderJudging(ctx, loaded, attempt.runId)) throw nothingToJudge('Another run judges this battle');
    const judge = await createJudge(parts, attempt, loaded);
    return new Judging(parts, { ctx, store, attempt, append, loaded, judge }).execute();
  };
}

const nothingToJudge = (why: string): RunFailure =>
  new RunFailure('NOTHING_TO_JUDGE', `${why}: a battle is judged while it is scoring, by one run at a time`);

/** True while an older run, such as another retry, judges the same battle: both would request the same judgements. */
async function hasOlderJudging(ctx: Context, { battle }: LoadedJudging, runId: string): Promise<boolean> {
  const { judgingRunId } = battle;
  // Retries have later ids than the run that they retry.
  if (judgingRunId === null || judgingRunId === runId) return false;
  const tries = await withLongRetry(() => readTries(ctx, [judgingRunId]));
  return tries.some((each) => each.runId < runId && !isTerminal(each.status));
}

async function createJudge(parts: JudgingParts, attempt: RunAttempt, loaded: LoadedJudging): Promise<Judge> {
  const { id: runId, modelId, hold } = attempt.run;
  if (modelId === null) return offlineJudge(loaded);
  const { battle, contenders, stored } = loaded;
  const model = await withLongRetry(() => modelById(parts.ctx.db, modelId));
  if (!model) throw new RunFailure('PROVIDER_UNKNOWN', 'The model of this run is no longer in the catalogue');
  const budget = await withLongRetry(() => creditsLeft(parts.ctx, battle, { contenders, before: runId }));
  const spent = stored.reduce((sum, each) => sum + (each.runId === runId ? each.creditCost : 0), 0);
  const left = Math.min(hold, budget ?? hold) - spent;
  return modelJudge(loaded, toModelName(model), await askModel(parts, attempt, { model, left }));
}

interface JudgingJob {
  ctx: Context;
  store: JudgingStore;
  attempt: RunAttempt;
  append: AppendEvents;
  loaded: LoadedJudging;
  judge: Judge;
}

/** The largest number of progress events of a judging, and the least time between two. */
const maxReports = 20;
const reportEveryMs = 500;

/** The number of free judgements that are stored together. */
const storedTogether = 100;

/** One attempt of a judging run. */
class Judging {
  private readonly held: HeldJudging;
  private readonly mode: JudgingMode;
  private readonly stored: StoredJudgement[];
  private reported: number;
  private reportedAt = performance.now();

  constructor(
    private readonly parts: JudgingParts,
    private readonly job: JudgingJob,
  ) {
    const { attempt, loaded, judge } = job;
    this.held = { battleId: loaded.battle.id, ...attempt.held };
    this.mode = createMode(loaded, judge);
    this.stored = [...loaded.stored];
    this.reported = this.stored.length;
  }

  async execute(): Promise<RunOutput> {
    try {
      for (;;) {
        const items = this.mode.next(this.stored);
        if (items.length === 0) break;
        if (this.job.attempt.run.modelId === null) await this.judgeFree(items);
        else await this.judgeAll(items);
      }
      // Without a model this takes milliseconds, so that the end of the run has the event.
      if (this.job.attempt.run.modelId !== null) await this.report();
    } catch (reason) {
      if (reason instanceof RunFailure && reason.retry) await this.countFruitless();
      throw reason;
    }
    return this.conclude();
  }

  /** Judges items without a model: a lost worker loses no more than some milliseconds of work. */
  private async judgeFree(items: readonly JudgingItem[]): Promise<void> {
    for (let from = 0; from < items.length; from += storedTogether) {
      this.job.attempt.signal.throwIfAborted();
      const judgements = await Promise.all(items.slice(from, from + storedTogether).map((item) => item.judge()));
      await this.keep(judgements, this.job.store.recordFree(this.held, judgements));
      await this.reportSometimes();
    }
  }

  /**
   * Judges items, some at a time. After a failure no item is begun, but those that were begun are finished and stored.
   * An item that the provider refuses or answers unreadably is an abstention, provided that the model has judged another.
   */
  private async judgeAll(items: readonly JudgingItem[]): Promise<void> {
    const waiting = [...items];
    const failures: { item: JudgingItem; reason: unknown }[] = [];
    const work = async (): Promise<void> => {
      for (let item = waiting.shift(); item; item = waiting.shift()) {
        try {
          await this.judge(item);
        } catch (reason) {
          failures.push({ item, reason });
          if (!isFaultOfItem(reason) || !this.hasAnswers()) waiting.length = 0;
        }
      }
    };
    await Promise.all(Array.from({ length: this.parts.concurrency }, work));
    const fatal = failures.filter(({ reason }) => !isFaultOfItem(reason) || !this.hasAnswers());
    if (fatal.length > 0) throw (fatal.find(({ reason }) => !mayPass(reason)) ?? fatal[0])?.reason;
    for (const { item, reason } of failures) {
      await this.storeOne(item.abstain(`The judge abstains: ${(reason as RunFailure).message}`));
    }
  }

  private async judge(item: JudgingItem): Promise<void> {
    this.job.attempt.signal.throwIfAborted();
    await this.storeOne(await item.judge());
    await this.reportSometimes();
  }

  private async reportSometimes(): Promise<void> {
    const { loaded } = this.job;
    if (performance.now() - this.reportedAt < reportEveryMs) return;
    const step = Math.ceil(loaded.battle.judgingTotal / maxReports);
    if (this.stored.length - this.reported >= step) await this.report();
  }

  private storeOne(judgement: NewJudgement): Promise<void> {
    return this.keep([judgement], this.job.store.record(this.held, judgement));
  }

  /** Continues with judgements once they are stored. */
  private async keep(judgements: readonly NewJudgement[], stored: Promise<boolean>): Promise<void> {
    const { attempt } = this.job;
    if (!(await stored)) {
      attempt.stop('lost');
      throw new Stopped('lost');
    }
    const { runId } = this.held;
    for (const { item, judgement, usage, cost } of judgements) {
      this.stored.push({ item, runId, judgement, tokenOutput: usage.output, creditCost: cost });
    }
  }

  private hasAnswers(): boolean {
    return this.stored.some(({ tokenOutput }) => tokenOutput > 0);
  }

  /** Appends the progress since the last report to the events of the run and of the battle. */
  private async report(): Promise<void> {
    const { ctx, append, loaded } = this.job;
    const { id: battleId, judgingTotal: total } = loaded.battle;
    const judged = this.stored.length;
    if (judged === this.reported) return;
    this.reported = judged;
    this.reportedAt = performance.now();
    await append([this.progress()]);
    // The battle has the last progress with its verdicts.
    if (judged < total) await withLongRetry(() => reportJudging(ctx, battleId));
  }

  private progress(): NewRunEvent {
    return {
      type: 'judging.progress',
      payload: { judged: this.stored.length, total: this.job.loaded.battle.judgingTotal },
    };
  }

  /** Makes attempts that judged something not count in the limit of attempts. */
  private async countFruitless(): Promise<void> {
    const { ctx, attempt } = this.job;
    await this.report();
    attempt.fruitless = 1 + (await withLongRetry(() => countFruitlessRetries(ctx, attempt.runId, 'judging.progress')));
  }

  private async conclude(): Promise<RunOutput> {
    const { ctx, store, attempt, loaded } = this.job;
    const { modelId } = attempt.run;
    const reason = modelId === null ? await withLongRetry(() => reasonWithoutModel(ctx, loaded.battle)) : undefined;
    const verdicts = this.mode.verdicts(this.stored).map((verdict) => withReason(verdict, reason));
    const sums = await store.conclude(this.held, verdicts);
    if (!sums) throw nothingToJudge('The battle has moved on');
    return {
      events: this.stored.length === this.reported ? [] : [this.progress()],
      artifacts: [
        {
          id: newId(),
          kind: 'json',
          contentText: null,
          contentJson: this.record(verdicts, reason),
          isPrimaryOutput: true,
        },
      ],
      tokenInput: modelId === null ? null : sums.tokenInput,
      tokenOutput: modelId === null ? null : sums.tokenOutput,
      tokenDetails: sums.tokenDetails,
      cost: sums.cost,
    };
  }

  /** The artifact of the run, which its owner may read before the battle is closed. */
  private record(verdicts: readonly Verdict[], note = ''): object {
    const { loaded, judge, attempt } = this.job;
    const { id: battleId, judgingMode } = loaded.battle;
    const prompt = judgingMode === 'rubric_score' ? criterionPrompt : pairPrompt;
    return {
      battleId,
      judgingMode,
      judge: judgingMode === 'auto_score' ? 'checks' : judge.name,
      prompt: attempt.run.modelId === null ? null : { version: prompt.version, hash: prompt.hash },
      judgements: this.stored.length,
      abstentions: this.stored.filter(({ judgement }) => isAbstention(judgement)).length,
      ...(note !== '' && { note }),
      verdicts: creatorVerdicts(loaded, verdicts),
    };
  }
}

/** A fault that another item may not have. */
const isFaultOfItem = (reason: unknown): boolean =>
  reason instanceof RunFailure && ['PROVIDER_REFUSED', 'PROVIDER_FAILED', 'OUTPUT_TOO_LARGE'].includes(reason.code);

/** True for a fault after which the same request may succeed. */
const mayPass = (reason: unknown): boolean => reason instanceof RunFailure && reason.retry !== undefined;

const isAbstention = (judgement: Judgement): boolean =>
  ('choice' in judgement && judgement.choice === 'abstained') ||
  ('mark' in judgement && typeof judgement.mark === 'string');

const withReason = (verdict: Verdict, reason: string | undefined): Verdict =>
  reason === undefined ? verdict : { ...verdict, reasoning: `${reason}\n\n${verdict.reasoning}` };
