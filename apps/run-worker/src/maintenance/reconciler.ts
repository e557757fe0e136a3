import type { RunEvent } from '@lensforge/contracts';
import { deleteExpiredKeys, reconcileLimits, reconcileRuns } from '@lensforge/runs';
import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';
import type { Admission } from './admission.js';
import type { EngineLog } from '../engine/run.js';
import { LostJobs } from './lost-jobs.js';
import type { LostJobsParts } from './lost-jobs.js';
import { LostNodes } from './lost-nodes.js';
import type { LostNodesParts } from './lost-nodes.js';

export interface ReconcilerParts extends LostJobsParts {
  tell: (events: readonly RunEvent[]) => void;
  admission: Pick<Admission, 'catchUp' | 'ended'>;
  nodes: LostNodesParts['nodes'];
  everyMs: number;
  log: EngineLog;
  registry: Registry;
}

const forgetEveryMs = 60_000;
const mostForgotten = 5000;

/**
 * Sees to it that every accepted run ends, whatever died on the way. Each run-worker has one and they need no leader;
 * Postgres decides who settles which row.
 */
export class Reconciler {
  private readonly lostJobs: LostJobs;
  private readonly lostNodes: LostNodes;
  private readonly settled: Counter<'cause'>;
  private readonly expired: Counter;
  private readonly failing = new Set<string>();
  private unsettled: ReadonlySet<string> = new Set();
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private forgotAt: number;
  private stopped = false;

  constructor(private readonly parts: ReconcilerParts) {
    const registers = [parts.registry];
    this.lostJobs = new LostJobs(parts);
    this.lostNodes = new LostNodes(parts);
    this.forgotAt = parts.now();
    this.settled = new Counter({
      name: 'lensforge_runs_reconciled_total',
      help: 'Runs that this process settled because nobody else did, by cause',
      labelNames: ['cause'],
      registers,
    });
    this.expired = new Counter({
      name: 'lensforge_lease_expiries_total',
      help: 'Runs whose worker was lost: their lease ran out',
      registers,
    });
  }

  start(): void {
    // The first round at a random moment: the workers of a platform that start together take turns.
    this.schedule(this.parts.everyMs * Math.random());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private schedule(ms: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.round = this.reconcile().finally(() => this.schedule(this.parts.everyMs));
    }, ms);
  }

  /** One round; never rejects. */
  async reconcile(): Promise<void> {
    await this.attempt('overdue runs', () => this.settleOverdue());
    await this.attempt('waiting runs', () => this.parts.admission.catchUp());
    await this.attempt('lost nodes', () => this.findLostNodes());
    await this.attempt('lost jobs', () => this.restoreLostJobs());
    await this.attempt('old idempotency keys', () => this.forgetOldKeys());
  }

  private async settleOverdue(): Promise<void> {
    for (;;) {
      const reconciled = await reconcileRuns(this.parts.ctx, reconcileLimits);
      const { expired, timedOut, canceled, givenUp, events, accountIds, faults } = reconciled;
      this.parts.tell(events);
      for (const accountId of accountIds) this.parts.admission.ended(accountId);
      this.sayFaults(faults);
      this.expired.inc(expired);
      const counts = { requeued: expired - givenUp, worker_lost: givenUp, timed_out: timedOut, canceled };
      for (const [cause, count] of Object.entries(counts)) this.settled.inc({ cause }, count);
      const all = expired + timedOut + canceled;
      if (all > 0) this.parts.log.warn(counts, 'runs were settled that nobody ended');
      if (all < reconcileLimits.limit || this.stopped) return;
    }
  }

  /** A run that cannot be settled is tried again each second, and spoken of once. */
  private sayFaults(faults: readonly { runId: string; reason: unknown }[]): void {
    for (const { runId, reason: err } of faults) {
      if (!this.unsettled.has(runId)) this.parts.log.error({ err, runId }, 'a run cannot be settled');
    }
    this.unsettled = new Set(faults.map(({ runId }) => runId));
  }

  private async findLostNodes(): Promise<void> {
    const { lost, posted } = await this.lostNodes.find();
    this.settled.inc({ cause: 'node_worker_lost' }, lost);
    this.settled.inc({ cause: 'node_job_lost' }, posted);
    if (lost + posted > 0) this.parts.log.warn({ lost, posted }, 'nodes had lost their workers or jobs');
  }

  private async restoreLostJobs(): Promise<void> {
    const restored = await this.lostJobs.restore();
    if (restored === 0) return;
    this.settled.inc({ cause: 'job_lost' }, restored);
    this.parts.log.warn({ restored }, 'queued runs had lost their jobs and got new ones');
  }

  private async forgetOldKeys(): Promise<void> {
    const { ctx, now } = this.parts;
    if (now() - this.forgotAt < forgetEveryMs) return;
    this.forgotAt = now();
    await deleteExpiredKeys(ctx, { limit: mostForgotten });
  }

  /** An outage is said when it begins and when it is over, not each second. */
  private async attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (this.failing.delete(what)) this.parts.log.info({ what }, 'reconciling works again');
    } catch (err) {
      if (this.failing.has(what)) return;
      this.failing.add(what);
      this.parts.log.warn({ err, what }, 'reconciling does not work at the moment');
    }
  }
}
