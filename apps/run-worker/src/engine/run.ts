import type { RunEvent, RunJob } from '@lensforge/contracts';
import { priceUsage } from '@lensforge/models';
import {
  type ClaimedRun,
  type Delivered,
  type Finish,
  type NewRunEvent,
  extendLeases,
  readLeases,
} from '@lensforge/runs';
import { RunAttempt, type StopCause, Stopped } from './attempt.js';
import { isDatabaseFault } from './database-writes.js';
import { type Claimed, type RunStore, openRunStore } from './run-store.js';
import { DeltaBatcher, type DeltaStream, type TextOf } from './delta-batcher.js';
import { Leases } from './leases.js';
import { executeLens } from './lens.js';
import { outageLog } from './outage-log.js';
import { outputEvents } from './output-events.js';
import { executePrompt } from './prompt.js';
import type { RunMetrics, RunOutcome } from './run-metrics.js';
import { WaitsForBatch } from './request-in-batch.js';
import { RunFailure } from './run-failure.js';
import type { RunOutput } from './run-output.js';
import type { WorkerParts } from './worker-parts.js';

/** Appends events of an attempt, in the order of the calls. Await it: it rejects when the attempt no longer holds its run. */
export type AppendEvents = (events: readonly NewRunEvent[]) => Promise<void>;

/** Executes a judging run. */
export type ExecuteJudging = (attempt: RunAttempt, appendEvents: AppendEvents) => Promise<RunOutput>;

export interface EngineParts extends WorkerParts {
  /** Starts the nodes of a run; false when it belongs to another worker. */
  startNodes: (runId: string) => Promise<boolean>;
  executeJudging: ExecuteJudging;
  /** Throws RunFailure for a run of a battle whose budget does not allow it. */
  requireBudget: (run: ClaimedRun) => Promise<void>;
  metrics: RunMetrics;
  onClaim?: (run: ClaimedRun) => void;
}

/** The place of a job in this process. */
type Place = NonNullable<RunAttempt['place']>;

/** The limit of attempts without progress while a provider is busy or away; the pauses between them grow. */
const maxAttempts = 3;
const firstPauseMs = 1000;
const maxPauseMs = 60_000;

interface Fallback {
  failed: string;
  reason: string;
  next: string;
}

/** Claims, executes and finishes runs. The attempt number fences every write. */
export class Engine {
  readonly leases: Leases<RunAttempt>;
  private readonly store: RunStore;
  private readonly deltas: DeltaBatcher<RunAttempt>;
  private readonly logOutage: (reason: unknown) => void;

  constructor(private readonly parts: EngineParts) {
    const { ctx, worker, leaseMs, heartbeatMs, timing } = parts;
    this.store = openRunStore(ctx, { now: timing.now, worker, leaseMs });
    this.deltas = new DeltaBatcher((texts) => this.append(texts), timing);
    this.logOutage = outageLog(parts, 'the leases or events of runs cannot be written to PostgreSQL');
    this.leases = new Leases(
      {
        extend: (held, ms) => extendLeases(ctx, held, ms),
        readStates: (held) => readLeases(ctx, held),
      },
      { leaseMs, heartbeatMs, timing, onError: this.logOutage },
    );
  }

  /**
   * Resolves when this process no longer executes the run, whatever the outcome. The place of the job then passes to a run that
   * was claimed with the end of this one.
   */
  async execute({ runId, generation }: RunJob, place?: Place): Promise<RunOutcome | 'ignored'> {
    const { worker, leaseMs, metrics } = this.parts;
    const claimed = await this.store.claim({ runId, generation, worker, leaseMs });
    if (!claimed) {
      metrics.ignored();
      return 'ignored';
    }
    return this.executeClaimed(claimed, place);
  }

  private async executeClaimed({ run, requestedAt }: Claimed, place: Place | undefined): Promise<RunOutcome> {
    const { leaseMs, timing, metrics } = this.parts;
    this.parts.onClaim?.(run);
    const attempt = new RunAttempt(run, { now: timing.now, from: requestedAt, ms: leaseMs }, place);
    this.leases.hold(attempt);
    let outcome: RunOutcome = 'lost';
    try {
      outcome = await this.runAttempt(attempt);
    } catch (err) {
      this.parts.log.error(
        { err, ...toDetails(attempt) },
        'the end of a run could not be written; another worker continues it after its lease',
      );
    } finally {
      this.leases.drop(attempt);
    }
    const durationMs = Math.round(timing.now() - requestedAt);
    metrics.ended(outcome, durationMs);
    this.parts.log.info({ ...toDetails(attempt), outcome, durationMs }, 'run');
    return outcome;
  }

  /** Releases the runs that are still executing after the grace period; they do not count as lost. */
  releaseAfter(graceMs: number): { cancel: () => void } {
    return this.parts.timing.after(graceMs, () => this.release());
  }

  release(): void {
    this.leases.release();
  }

  private async runAttempt(attempt: RunAttempt): Promise<RunOutcome> {
    const deltas = this.deltas.open(attempt);
    try {
      const output = await attempt.unlessStopped(this.produce(attempt, deltas));
      const rest = await attempt.unlessStopped(deltas.close());
      return await (output ? this.succeed(attempt, output, rest) : this.startNodes(attempt));
    } catch (reason) {
      const closed = deltas.close();
      if (reason instanceof Stopped) return this.endStopped(attempt, reason.stopCause, closed);
      if (reason instanceof WaitsForBatch) return this.defer(attempt, reason);
      if (isFaultOfDatabase(reason)) {
        if (attempt.ending) throw reason;
        return this.retry(attempt, 'the database was away', firstPauseMs);
      }
      return this.fail(attempt, asFailure(reason), await closed);
    }
  }

  /** Undefined for a run whose nodes produce its output. */
  private async produce(attempt: RunAttempt, deltas: DeltaStream): Promise<RunOutput | undefined> {
    const parts = {
      ...this.parts,
      onFallback: (tried: Fallback) => this.logFallback(attempt, tried),
      onRecalled: (recordedAt: Date) => this.logRecalled(attempt, recordedAt),
    };
    await this.parts.requireBudget(attempt.run);
    switch (attempt.run.kind) {
      case 'lens':
        return executeLens(parts, attempt, deltas);
      case 'prompt':
        return executePrompt(parts, attempt, deltas);
      case 'judging':
        return this.parts.executeJudging(attempt, this.createAppender(attempt));
      case 'workflow':
        return undefined;
    }
  }

  /** Starts the first nodes of a run; from then on workers hold its nodes and not the run. */
  private async startNodes(attempt: RunAttempt): Promise<RunOutcome> {
    attempt.ending = true;
    return (await this.parts.startNodes(attempt.run.id)) ? 'planned' : this.requireOutcome(undefined, 'planned');
  }

  private succeed(attempt: RunAttempt, { events, ...output }: RunOutput, rest: string): Promise<RunOutcome> {
    const { hold, kind } = attempt.run;
    // The requests of a judging have spent from its hold; another answer may cost more than was estimated.
    const cost = hold === 0 || kind === 'judging' ? Math.min(output.cost, hold) : output.cost;
    return this.finish(attempt, rest, { ...output, cost, failure: null }, events);
  }

  /** Stores a log event before the text of an answer that costs nothing. */
  private logRecalled(attempt: RunAttempt, recordedAt: Date): Promise<void> {
    const at = recordedAt.toISOString();
    const message = `The answer was recorded at ${at} and costs nothing`;
    return this.appendEvents(attempt, [
      { type: 'log', payload: { level: 'info', message, members: { recordedAt: at } } },
    ]);
  }

  /** Stores a log event at once; no text of the run is unwritten yet. */
  private logFallback(attempt: RunAttempt, { failed, reason, next }: Fallback): Promise<void> {
    const message = storable(`${failed} cannot answer; ${next} is asked instead`);
    const members = { failed, next, reason: storable(reason) };
    return this.appendEvents(attempt, [{ type: 'log', payload: { level: 'warn', message, members } }]);
  }

  /** Concurrent calls follow each other, since each continues at the sequence number of the one before. */
  private createAppender(attempt: RunAttempt): AppendEvents {
    let last = Promise.resolve();
    return (events) => (last = last.then(() => this.appendEvents(attempt, events)));
  }

  private async appendEvents(attempt: RunAttempt, events: readonly NewRunEvent[]): Promise<void> {
    const { run, sequence: after } = attempt;
    const stored = await this.store.appendOne({ runId: run.id, attempt: run.attempt, after, events });
    if (!stored) {
      this.parts.metrics.fenced();
      attempt.stop('lost');
      throw new Stopped('lost');
    }
    attempt.sequence += stored.length;
  }

  private async fail(attempt: RunAttempt, failure: RunFailure, rest: string): Promise<RunOutcome> {
    const { code: errorCode, message, cause } = failure;
    if (cause !== undefined || errorCode === 'INTERNAL') {
      this.parts.log.warn({ err: cause ?? failure, ...toDetails(attempt), errorCode }, 'a run failed unexpectedly');
    }
    const delayMs = this.pauseBefore(attempt, failure);
    if (delayMs !== undefined) return this.retry(attempt, message, delayMs);
    if (attempt.run.kind === 'judging') return this.failJudging(attempt, failure);
    // Of the failures, only a refused answer was delivered as a whole.
    const delivered = errorCode === 'OUTPUT_NOT_VALID' ? await deliveredBy(attempt) : undefined;
    return this.finish(attempt, rest, {
      artifacts: [],
      ...(delivered ?? { tokenInput: null, tokenOutput: null, cost: 0 }),
      failure: { errorCode, errorMessage: storable(message) },
    });
  }

  /** Unlike other failures, this one is charged for what was judged, because a retry uses it. */
  private async failJudging(attempt: RunAttempt, { code: errorCode, message }: RunFailure): Promise<RunOutcome> {
    attempt.ending = true;
    const reason = storable(message);
    return this.requireOutcome(await this.store.end(attempt.run, { status: 'failed', reason, errorCode }), 'failed');
  }

  private async finish(
    attempt: RunAttempt,
    rest: string,
    end: Omit<Finish, 'runId' | 'accountId' | 'workflowId' | 'attempt' | 'events' | 'hold'>,
    events: readonly NewRunEvent[] = [],
  ): Promise<RunOutcome> {
    const { run, place } = attempt;
    const { id: runId, workflowId, hold } = run;
    attempt.ending = true;
    const { stored, next } = await this.store.finish(run, {
      mayContinue: (await place?.mayContinue()) ?? false,
      runId,
      workflowId,
      hold,
      attempt: run.attempt,
      events: [...outputEvents(toNodeRef(attempt), rest), ...events],
      ...end,
    });
    if (next) this.continueWith(next, place);
    return this.requireOutcome(stored, end.failure ? 'failed' : 'succeeded');
  }

  private continueWith(next: Claimed, place: Place | undefined): void {
    const { id, requestId, traceparent } = next.run;
    place?.continueWith({
      id,
      requestId,
      traceparent,
      work: async (place) => {
        await this.executeClaimed(next, place);
      },
    });
  }

  private async endStopped(attempt: RunAttempt, why: StopCause, closed: Promise<string>): Promise<RunOutcome> {
    const { run } = attempt;
    const unwritten = async () => ({
      events: outputEvents(toNodeRef(attempt), await closed),
      delivered: await deliveredBy(attempt),
    });
    switch (why) {
      case 'lost':
        return 'lost';
      case 'canceled':
        return this.requireOutcome(
          await this.store.end(run, {
            status: 'canceled',
            reason: 'canceled by the caller',
            ...(await unwritten()),
          }),
          'canceled',
        );
      case 'timed_out':
        return this.requireOutcome(
          await this.store.end(run, {
            status: 'timed_out',
            reason: 'the run did not end in time',
            errorCode: 'RUN_TIMED_OUT',
            ...(await unwritten()),
          }),
          'timed_out',
        );
      case 'released':
        return this.requireOutcome(await this.store.release(run), 'released');
    }
  }

  /** Undefined when there must be no other attempt. */
  private pauseBefore({ fruitless, deadline }: RunAttempt, { retry }: RunFailure): number | undefined {
    if (!retry || fruitless >= maxAttempts) return undefined;
    const grown = Math.min(firstPauseMs * 2 ** (fruitless - 1), maxPauseMs) * (0.5 + Math.random() / 2);
    const delayMs = Math.round(Math.max(grown, retry.afterMs ?? 0));
    return this.parts.timing.now() + delayMs < deadline ? delayMs : undefined;
  }

  private async retry(attempt: RunAttempt, reason: string, delayMs: number): Promise<RunOutcome> {
    attempt.ending = true;
    return this.requireOutcome(await this.store.requeue(attempt.run, { reason: storable(reason), delayMs }), 'retried');
  }

  private async defer(attempt: RunAttempt, waits: WaitsForBatch): Promise<RunOutcome> {
    attempt.ending = true;
    return this.requireOutcome(await this.store.waitForBatch(attempt.run, waits), 'deferred');
  }

  private requireOutcome(stored: RunEvent[] | undefined, outcome: RunOutcome): RunOutcome {
    if (stored) return outcome;
    this.parts.metrics.fenced();
    return 'lost';
  }

  /** Never rejects; stops an attempt whose text cannot be written. */
  private async append(texts: readonly TextOf<RunAttempt>[]): Promise<void> {
    try {
      const progress = texts.map(({ source, text }) => ({
        runId: source.run.id,
        attempt: source.run.attempt,
        after: source.sequence,
        events: outputEvents(toNodeRef(source), text),
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
      }
    } catch (reason) {
      this.logOutage(reason);
      for (const { source: attempt } of texts) attempt.stop('lost');
    }
  }
}

/** The node in the output events of a run without nodes. */
const toNodeRef = ({ run }: RunAttempt) => ({ nodeId: run.kind });

/** The charge for the answer of a paid model as far as it has arrived; undefined before its first text. */
async function deliveredBy({ run: { hold }, used }: RunAttempt): Promise<Delivered | undefined> {
  if (hold === 0 || !used) return undefined;
  const { model, usage } = await used();
  const priced = priceUsage(model, usage);
  return { ...priced, cost: Math.min(priced.cost, hold) };
}

const toDetails = ({ run }: RunAttempt) => ({ requestId: run.requestId, runId: run.id, attempt: run.attempt });

/** True when the run is retried; the message of a RunFailure may quote a provider. */
const isFaultOfDatabase = (reason: unknown): boolean => !(reason instanceof RunFailure) && isDatabaseFault(reason);

function asFailure(reason: unknown): RunFailure {
  if (reason instanceof RunFailure) return reason;
  return new RunFailure('INTERNAL', 'An unexpected fault of the platform ended this run', { cause: reason });
}

const storable = (message: string): string => message.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, 1000);
