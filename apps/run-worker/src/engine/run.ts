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
import type { DeltaStream, TextOf } from './delta-batcher.js';
import { DeltaBatcher } from './delta-batcher.js';
import { Leases } from './leases.js';
import type { ModelAnswer } from './request-model.js';
import { executeLens, lensNodeId } from './lens.js';
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
  /** Opens BYOK keys of callers. */
  keys: ByokLeases;
  /** Publishes committed events. */
  publish: (events: readonly RunEvent[]) => void;
  /** Starts a workflow run; false when it belongs to another worker. */
  startNodes: (runId: string) => Promise<boolean>;
  /** The name of this worker in the rows of its runs. */
  worker: string;
  leaseMs: number;
  heartbeatMs: number;
  timing: Timing;
  /** Called when a run of the account has ended. */
  ended?: (accountId: string) => void;
  log: EngineLog;
  metrics: RunMetrics;
}

/** The limit of attempts while a provider is busy or away; the pauses between them grow. */
const mostAttempts = 3;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

const ends: ReadonlySet<RunOutcome> = new Set<RunOutcome>(['succeeded', 'failed', 'canceled', 'timed_out']);

/** Claims, executes and finishes runs. The attempt number fences every write. */
export class Engine {
  readonly leases: Leases<Attempt>;
  private readonly store: RunStore;
  private readonly deltas: DeltaBatcher<Attempt>;
  private releasing = false;
  private outageLogged = false;

  constructor(private readonly parts: EngineParts) {
    const { db, leaseMs, heartbeatMs, timing } = parts;
    this.store = openRunStore(db, timing.now);
    this.deltas = new DeltaBatcher((texts) => this.append(texts), timing);
    this.leases = new Leases(runLeases({ actor: platformActor, db, now: systemClock, requestId: newId() }), {
      leaseMs,
      heartbeatMs,
      timing,
      onError: (reason) => this.logOutage(reason),
    });
  }

  /** Resolves when this process no longer executes the run, whatever the outcome. */
  async execute({ runId, generation }: RunJob): Promise<RunOutcome | 'ignored'> {
    const { worker, leaseMs, timing, metrics } = this.parts;
    const claimed = await this.store.claim({ runId, generation, worker, leaseMs });
    if (!claimed) {
      metrics.ignored();
      return 'ignored';
    }
    const attempt = new Attempt(claimed.run, timing.now, claimed.requestedAt, leaseMs);
    this.leases.hold(attempt);
    this.parts.publish([claimed.run.started]);
    if (this.releasing) attempt.stop('released');
    let outcome: RunOutcome = 'lost';
    try {
      outcome = await this.runAttempt(attempt);
    } catch (err) {
      this.parts.log.error(
        { err, ...detailsOf(attempt) },
        'the end of a run could not be written; another worker continues it after its lease',
      );
    } finally {
      this.leases.drop(attempt);
    }
    const durationMs = Math.round(timing.now() - claimed.requestedAt);
    metrics.ended(outcome, durationMs);
    if (ends.has(outcome)) this.parts.ended?.(claimed.run.accountId);
    this.parts.log.info({ ...detailsOf(attempt), outcome, durationMs }, 'run');
    return outcome;
  }

  /** Releases the runs that are still executing after the grace period; they do not count as lost. */
  releaseAfter(graceMs: number): { cancel: () => void } {
    return this.parts.timing.after(graceMs, () => this.release());
  }

  release(): void {
    this.releasing = true;
    for (const attempt of this.leases.attempts) attempt.stop('released');
  }

  private async runAttempt(attempt: Attempt): Promise<RunOutcome> {
    if (attempt.run.kind === 'workflow') return this.startWorkflow(attempt);
    const deltas = this.deltas.open(attempt);
    try {
      const answer = await attempt.unlessStopped(this.produce(attempt, deltas));
      return await this.succeed(attempt, answer, await attempt.unlessStopped(deltas.close()));
    } catch (reason) {
      const closed = deltas.close();
      if (reason instanceof Stopped) return this.endStopped(attempt, reason.stopCause);
      if (isDatabaseFault(reason)) {
        if (attempt.ending) throw reason;
        return this.retry(attempt, 'the database was away', firstPauseMs);
      }
      return this.fail(attempt, asFailure(reason), await closed);
    }
  }

  private async produce(attempt: Attempt, deltas: DeltaStream): Promise<ModelAnswer> {
    switch (attempt.run.kind) {
      case 'lens':
        return executeLens({ ...this.parts, onFallback: (tried) => this.logFallback(attempt, tried) }, attempt, deltas);
      case 'workflow':
        throw new Error('a workflow run is executed node by node');
    }
  }

  /** Starts the first nodes of a workflow run; from then on workers hold its nodes and not the run. */
  private async startWorkflow(attempt: Attempt): Promise<RunOutcome> {
    try {
      return (await this.parts.startNodes(attempt.run.id)) ? 'planned' : this.publishEnd(undefined, 'planned');
    } catch (reason) {
      if (isDatabaseFault(reason)) throw reason;
      return this.fail(attempt, asFailure(reason), '');
    }
  }

  private succeed(attempt: Attempt, answer: ModelAnswer, rest: string): Promise<RunOutcome> {
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

  /** Stores a log event at once; no text of the run is unwritten yet. */
  private async logFallback(
    attempt: Attempt,
    { failed, reason, next }: { failed: string; reason: string; next: string },
  ): Promise<void> {
    const { run, sequence: after } = attempt;
    const message = storable(`${failed} cannot answer; ${next} is asked instead`);
    const members = { failed, next, reason: storable(reason) };
    const event: NewRunEvent = { type: 'log', payload: { level: 'warn', message, members } };
    const [stored] = await this.store.append([{ runId: run.id, attempt: run.attempt, after, events: [event] }]);
    if (!stored) {
      this.parts.metrics.fenced();
      attempt.stop('lost');
      return;
    }
    attempt.sequence += stored.length;
    this.parts.publish(stored);
  }

  private fail(attempt: Attempt, failure: RunFailure, rest: string): Promise<RunOutcome> {
    const { code: errorCode, message, cause } = failure;
    if (cause !== undefined || errorCode === 'INTERNAL') {
      this.parts.log.warn({ err: cause ?? failure, ...detailsOf(attempt), errorCode }, 'a run failed unexpectedly');
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
    const stored = await this.store.finish(run, {
      runId,
      accountId,
      workflowId,
      hold,
      attempt: run.attempt,
      events: eventsOf(rest),
      ...end,
    });
    return this.publishEnd(stored, end.failure ? 'failed' : 'succeeded');
  }

  private async endStopped(attempt: Attempt, why: StopCause): Promise<RunOutcome> {
    const { run } = attempt;
    switch (why) {
      case 'lost':
        return 'lost';
      case 'canceled':
        return this.publishEnd(
          await this.store.end(run, { status: 'canceled', reason: 'canceled by the caller' }),
          'canceled',
        );
      case 'timed_out':
        return this.publishEnd(
          await this.store.end(run, {
            status: 'timed_out',
            reason: 'the run did not end in time',
            errorCode: 'RUN_TIMED_OUT',
          }),
          'timed_out',
        );
      case 'released':
        return this.publishEnd(await this.store.release(run), 'released');
    }
  }

  /** Undefined when there must be no other attempt. */
  private pauseBefore({ run, deadline }: Attempt, { retry }: RunFailure): number | undefined {
    if (!retry || run.attempt >= mostAttempts) return undefined;
    const grown = Math.min(firstPauseMs * 2 ** (run.attempt - 1), longestPauseMs) * (0.5 + Math.random() / 2);
    const delayMs = Math.round(Math.max(grown, retry.afterMs ?? 0));
    return this.parts.timing.now() + delayMs < deadline ? delayMs : undefined;
  }

  private async retry(attempt: Attempt, reason: string, delayMs: number): Promise<RunOutcome> {
    attempt.ending = true;
    return this.publishEnd(await this.store.requeue(attempt.run, { reason: storable(reason), delayMs }), 'retried');
  }

  private publishEnd(stored: RunEvent[] | undefined, outcome: RunOutcome): RunOutcome {
    if (stored) {
      this.parts.publish(stored);
      return outcome;
    }
    this.parts.metrics.fenced();
    return 'lost';
  }

  /** Never rejects; stops an attempt whose text cannot be written. */
  private async append(texts: readonly TextOf<Attempt>[]): Promise<void> {
    try {
      const progress = texts.map(({ source: { run, sequence }, text }) => ({
        runId: run.id,
        attempt: run.attempt,
        after: sequence,
        events: eventsOf(text),
      }));
      const stored = await this.store.append(progress);
      for (const [index, { source: attempt }] of texts.entries()) {
        const events = stored[index];
        if (!events) {
          this.parts.metrics.fenced();
          attempt.stop('lost');
          continue;
        }
        attempt.sequence += events.length;
        this.parts.publish(events);
      }
    } catch (reason) {
      this.logOutage(reason);
      for (const { source: attempt } of texts) attempt.stop('lost');
    }
  }

  /** Logs an outage once in 10 seconds. */
  private logOutage(reason: unknown): void {
    if (this.outageLogged) return;
    this.outageLogged = true;
    this.parts.log.warn({ err: reason }, 'the leases or events of runs cannot be written to PostgreSQL');
    this.parts.timing.after(10_000, () => (this.outageLogged = false));
  }
}

const detailsOf = ({ run }: Attempt) => ({ requestId: run.requestId, runId: run.id, attempt: run.attempt });

/** True for a fault of the database; the run is retried. */
const isDatabaseFault = (reason: unknown): boolean =>
  !(reason instanceof RunFailure) && (isTransient(reason) || isLockTimeout(reason));

function asFailure(reason: unknown): RunFailure {
  if (reason instanceof RunFailure) return reason;
  return new RunFailure('INTERNAL', 'An unexpected fault of the platform ended this run', undefined, reason);
}

function artifactsOf({ text, json, toolCalls }: ModelAnswer): NewArtifact[] {
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

/** Splits text into events that are small enough for a stream. */
function eventsOf(text: string): NewRunEvent[] {
  const events: NewRunEvent[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + mostInOneEvent, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    events.push({ type: 'node.output.delta', payload: { nodeId: lensNodeId, text: text.slice(at, end) } });
    at = end;
  }
  return events;
}

const storable = (message: string): string => message.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, 1000);
