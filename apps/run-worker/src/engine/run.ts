import type { RunEvent, RunJob } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId, platformActor, systemClock } from '@lensforge/core';
import { isLockTimeout, isTransient } from '@lensforge/database';
import type { Finish, NewArtifact, NewRunEvent } from '@lensforge/runs';
import { costOf } from '@lensforge/models';
import type { ByokLeases } from '../byok-leases.js';
import type { Providers } from '../providers/providers.js';
import { Attempt, Stopped } from './attempt.js';
import type { StopCause } from './attempt.js';
import type { RunStore } from './run-store.js';
import { openRunStore } from './run-store.js';
import type { DeltaStream, TextOf } from './deltas.js';
import { Deltas } from './deltas.js';
import { Leases } from './leases.js';
import type { Answer } from './ask.js';
import { executeLens, lensNode } from './lens.js';
import type { RunMetrics, RunOutcome } from './run-metrics.js';
import { runLeases } from './run-leases.js';
import { RunFailure } from './run-failure.js';
import type { Timing } from './timing.js';

export interface EngineLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface EngineParts {
  db: Context['db'];
  providers: Providers;
  /** Keys that callers have lent for their runs. */
  keys: ByokLeases;
  /** Says to whoever listens what has been committed. */
  tell: (events: readonly RunEvent[]) => void;
  /** Begins a run of a workflow: false when it is no longer this worker's. */
  startNodes: (runId: string) => Promise<boolean>;
  /** Who this is in the rows of its runs. */
  worker: string;
  leaseMs: number;
  heartbeatMs: number;
  timing: Timing;
  /** A run of this account has ended here. */
  ended?: (accountId: string) => void;
  log: EngineLog;
  measures: RunMetrics;
}

/** A provider that is busy or away is asked so often, with growing pauses. */
const mostAttempts = 3;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

const ends: ReadonlySet<RunOutcome> = new Set<RunOutcome>(['succeeded', 'failed', 'canceled', 'timed_out']);

/** Executes runs: claim, carry out, finish. Everything it writes is fenced by the number of the attempt. */
export class Engine {
  readonly leases: Leases<Attempt>;
  private readonly book: RunStore;
  private readonly deltas: Deltas<Attempt>;
  private releasing = false;
  private faulty = false;

  constructor(private readonly parts: EngineParts) {
    const { db, leaseMs, heartbeatMs, timing } = parts;
    this.book = openRunStore(db, timing.now);
    this.deltas = new Deltas((texts) => this.append(texts), timing);
    this.leases = new Leases(runLeases({ actor: platformActor, db, now: systemClock, requestId: newId() }), {
      leaseMs,
      heartbeatMs,
      timing,
      onFault: (reason) => this.sayFault(reason),
    });
  }

  /** Settles when the run has left the hands of this process, whatever became of it. */
  async execute({ runId, generation }: RunJob): Promise<RunOutcome | 'ignored'> {
    const { worker, leaseMs, timing, measures } = this.parts;
    const claimed = await this.book.claim({ runId, generation, worker, leaseMs });
    if (!claimed) {
      measures.ignored();
      return 'ignored';
    }
    const attempt = new Attempt(claimed.run, timing.now, claimed.askedAt, leaseMs);
    this.leases.hold(attempt);
    this.parts.tell([claimed.run.started]);
    if (this.releasing) attempt.stop('released');
    let outcome: RunOutcome = 'lost';
    try {
      outcome = await this.carryOut(attempt);
    } catch (err) {
      this.parts.log.error({ err, ...about(attempt) }, 'the end of a run could not be written; its lease will run out');
    } finally {
      this.leases.drop(attempt);
    }
    const durationMs = Math.round(timing.now() - claimed.askedAt);
    measures.ended(outcome, durationMs);
    if (ends.has(outcome)) this.parts.ended?.(claimed.run.accountId);
    this.parts.log.info({ ...about(attempt), outcome, durationMs }, 'run');
    return outcome;
  }

  /** What is still in hand then is given back: it goes on elsewhere and does not count as lost. */
  releaseAfter(graceMs: number): { cancel: () => void } {
    return this.parts.timing.after(graceMs, () => this.release());
  }

  release(): void {
    this.releasing = true;
    for (const attempt of this.leases.inHand) attempt.stop('released');
  }

  private async carryOut(attempt: Attempt): Promise<RunOutcome> {
    if (attempt.run.kind === 'workflow') return this.plan(attempt);
    const deltas = this.deltas.open(attempt);
    try {
      const product = await attempt.unlessStopped(this.produce(attempt, deltas));
      return await this.succeed(attempt, product, await attempt.unlessStopped(deltas.close()));
    } catch (reason) {
      const closed = deltas.close();
      if (reason instanceof Stopped) return this.windUp(attempt, reason.why);
      if (isAboutDatabase(reason)) {
        if (attempt.ending) throw reason;
        return this.retry(attempt, 'the database was away', firstPauseMs);
      }
      return this.fail(attempt, asFailure(reason), await closed);
    }
  }

  private async produce(attempt: Attempt, deltas: DeltaStream): Promise<Answer> {
    switch (attempt.run.kind) {
      case 'lens':
        return executeLens({ ...this.parts, onNext: (tried) => this.tellOfNext(attempt, tried) }, attempt, deltas);
      case 'workflow':
        throw new Error('the nodes of a workflow are executed one by one');
    }
  }

  /** From its first nodes on the run is in nobody's hands: each of its nodes is in somebody's. */
  private async plan(attempt: Attempt): Promise<RunOutcome> {
    try {
      return (await this.parts.startNodes(attempt.run.id)) ? 'planned' : this.heard(undefined, 'planned');
    } catch (reason) {
      if (isAboutDatabase(reason)) throw reason;
      return this.fail(attempt, asFailure(reason), '');
    }
  }

  private succeed(attempt: Attempt, answer: Answer, rest: string): Promise<RunOutcome> {
    const { run } = attempt;
    const { usage, model } = answer;
    return this.finish(attempt, rest, {
      artifacts: artifactsOf(answer),
      tokenInput: usage.input,
      tokenOutput: usage.output,
      cost: Math.min(costOf(model, usage), run.hold),
      failure: null,
      answeredBy: model.id === run.modelId ? null : { modelId: model.id, providerKey: model.providerKey },
    });
  }

  /** Written at once: nothing was said yet that it could get in the way of. */
  private async tellOfNext(
    attempt: Attempt,
    { failed, reason, next }: { failed: string; reason: string; next: string },
  ): Promise<void> {
    const { run, sequence: after } = attempt;
    const message = storable(`${failed} cannot answer; ${next} is asked instead`);
    const members = { failed, next, reason: storable(reason) };
    const event: NewRunEvent = { type: 'log', payload: { level: 'warn', message, members } };
    const [told] = await this.book.append([{ runId: run.id, attempt: run.attempt, after, events: [event] }]);
    if (!told) {
      this.parts.measures.fenced();
      attempt.stop('lost');
      return;
    }
    attempt.sequence += told.length;
    this.parts.tell(told);
  }

  private fail(attempt: Attempt, failure: RunFailure, rest: string): Promise<RunOutcome> {
    const { code: errorCode, message, cause } = failure;
    if (cause !== undefined || errorCode === 'INTERNAL') {
      this.parts.log.warn({ err: cause ?? failure, ...about(attempt), errorCode }, 'a run failed unexpectedly');
    }
    const delayMs = this.pauseBefore(attempt, failure);
    if (delayMs !== undefined) return this.retry(attempt, message, delayMs);
    return this.finish(attempt, rest, {
      artifacts: [],
      tokenInput: null,
      tokenOutput: null,
      cost: 0,
      failure: { errorCode, errorMessage: storable(message) },
    });
  }

  private async finish(
    attempt: Attempt,
    rest: string,
    end: Omit<Finish, 'runId' | 'accountId' | 'workflowId' | 'attempt' | 'events' | 'hold'>,
  ): Promise<RunOutcome> {
    const { run } = attempt;
    const { id: runId, accountId, workflowId, hold } = run;
    attempt.ending = true;
    const told = await this.book.finish(run, {
      ...{ runId, accountId, workflowId, hold, attempt: run.attempt },
      events: eventsOf(rest),
      ...end,
    });
    return this.heard(told, end.failure ? 'failed' : 'succeeded');
  }

  private async windUp(attempt: Attempt, why: StopCause): Promise<RunOutcome> {
    const { run } = attempt;
    switch (why) {
      case 'lost':
        return 'lost';
      case 'canceled':
        return this.heard(
          await this.book.end(run, { status: 'canceled', reason: 'canceled by the caller' }),
          'canceled',
        );
      case 'timed_out':
        return this.heard(
          await this.book.end(run, {
            status: 'timed_out',
            reason: 'the run did not end in time',
            errorCode: 'RUN_TIMED_OUT',
          }),
          'timed_out',
        );
      case 'released':
        return this.heard(await this.book.release(run), 'released');
    }
  }

  /** Undefined when there shall be no other attempt. */
  private pauseBefore({ run, deadline }: Attempt, { retry }: RunFailure): number | undefined {
    if (!retry || run.attempt >= mostAttempts) return undefined;
    const grown = Math.min(firstPauseMs * 2 ** (run.attempt - 1), longestPauseMs) * (0.5 + Math.random() / 2);
    const delayMs = Math.round(Math.max(grown, retry.afterMs ?? 0));
    return this.parts.timing.now() + delayMs < deadline ? delayMs : undefined;
  }

  private async retry(attempt: Attempt, reason: string, delayMs: number): Promise<RunOutcome> {
    attempt.ending = true;
    return this.heard(await this.book.requeue(attempt.run, { reason: storable(reason), delayMs }), 'retried');
  }

  private heard(told: RunEvent[] | undefined, outcome: RunOutcome): RunOutcome {
    if (told) {
      this.parts.tell(told);
      return outcome;
    }
    this.parts.measures.fenced();
    return 'lost';
  }

  /** Never rejects: an attempt whose text cannot be written is stopped instead. */
  private async append(texts: readonly TextOf<Attempt>[]): Promise<void> {
    try {
      const progress = texts.map(({ of: { run, sequence }, text }) => ({
        runId: run.id,
        attempt: run.attempt,
        after: sequence,
        events: eventsOf(text),
      }));
      const told = await this.book.append(progress);
      for (const [index, { of: attempt }] of texts.entries()) {
        const events = told[index];
        if (!events) {
          this.parts.measures.fenced();
          attempt.stop('lost');
          continue;
        }
        attempt.sequence += events.length;
        this.parts.tell(events);
      }
    } catch (reason) {
      this.sayFault(reason);
      for (const { of: attempt } of texts) attempt.stop('lost');
    }
  }

  /** Said once per outage, not once per second. */
  private sayFault(reason: unknown): void {
    if (this.faulty) return;
    this.faulty = true;
    this.parts.log.warn({ err: reason }, 'runs in hand cannot reach Postgres');
    this.parts.timing.after(10_000, () => (this.faulty = false));
  }
}

const about = ({ run }: Attempt) => ({ requestId: run.requestId, runId: run.id, attempt: run.attempt });

/** The run is not to blame: it goes on when the database does. */
const isAboutDatabase = (reason: unknown): boolean =>
  !(reason instanceof RunFailure) && (isTransient(reason) || isLockTimeout(reason));

function asFailure(reason: unknown): RunFailure {
  if (reason instanceof RunFailure) return reason;
  return new RunFailure('INTERNAL', 'An unexpected fault of the platform ended this run', undefined, reason);
}

function artifactsOf({ text, json, toolCalls }: Answer): NewArtifact[] {
  const output: NewArtifact = json
    ? { id: newId(), kind: 'json', contentText: null, contentJson: json.value, isPrimaryOutput: true }
    : { id: newId(), kind: 'text', contentText: text, contentJson: null, isPrimaryOutput: true };
  if (toolCalls.length === 0) return [output];
  const log: NewArtifact = {
    id: newId(),
    kind: 'tool_log',
    contentText: null,
    contentJson: toolCalls,
    isPrimaryOutput: false,
  };
  return [output, log];
}

const mostInOneEvent = 32_768;

/** The output as events, so that none is too large for a stream. */
function eventsOf(text: string): NewRunEvent[] {
  const events: NewRunEvent[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + mostInOneEvent, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    events.push({ type: 'node.output.delta', payload: { nodeId: lensNode, text: text.slice(at, end) } });
    at = end;
  }
  return events;
}

const storable = (message: string): string => message.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, 1000);
