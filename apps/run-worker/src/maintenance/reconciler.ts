import { FailureLog } from '@lensforge/edge';
import { reconcileLimits, reconcileRuns } from '@lensforge/runs';
import { Counter, type Registry } from 'prom-client';
import type { EngineLog } from '../engine/worker-parts.js';
import type { Admission } from './admission.js';
import { LostJobs, type LostJobsParts } from './lost-jobs.js';
import { LostNodes, type LostNodesParts } from './lost-nodes.js';

export interface ReconcilerParts extends LostJobsParts {
  admission: Pick<Admission, 'catchUp'>;
  nodes: LostNodesParts['nodes'];
  log: EngineLog;
  registry: Registry;
}

/**
 * Finishes accepted runs that no worker finishes. Every run-worker has a reconciler and they need no leader: PostgreSQL
 * decides which of them settles a row.
 */
export class Reconciler {
  private readonly lostJobs: LostJobs;
  private readonly lostNodes: LostNodes;
  private readonly settled: Counter<'cause'>;
  private readonly expired: Counter;
  private readonly failures: FailureLog;
  private unsettled: ReadonlySet<string> = new Set();

  constructor(private readonly parts: ReconcilerParts) {
    const registers = [parts.registry];
    this.lostJobs = new LostJobs(parts);
    this.lostNodes = new LostNodes(parts);
    this.failures = new FailureLog(parts.log);
    this.settled = new Counter({
      name: 'lensforge_runs_reconciled_total',
      help: 'Runs that this process settled because their worker did not, by cause',
      labelNames: ['cause'],
      registers,
    });
    this.expired = new Counter({
      name: 'lensforge_lease_expiries_total',
      help: 'Runs whose lease expired because their worker was lost',
      registers,
    });
  }

  /** One round; a step that fails does not keep the others from their work. */
  async reconcile(signal: AbortSignal): Promise<void> {
    await this.failures.attempt('settling overdue runs', () => this.settleOverdue(signal));
    await this.failures.attempt('admitting waiting runs', () => this.parts.admission.catchUp());
    await this.failures.attempt('finding lost nodes', () => this.findLostNodes());
    await this.failures.attempt('restoring lost jobs', () => this.restoreLostJobs());
  }

  private async settleOverdue(signal: AbortSignal): Promise<void> {
    for (;;) {
      const { expired, timedOut, canceled, givenUp, faults } = await reconcileRuns(this.parts.ctx, reconcileLimits);
      this.logFaults(faults);
      this.expired.inc(expired);
      const counts = { requeued: expired - givenUp, worker_lost: givenUp, timed_out: timedOut, canceled };
      for (const [cause, count] of Object.entries(counts)) this.settled.inc({ cause }, count);
      const all = expired + timedOut + canceled;
      if (all > 0) this.parts.log.warn(counts, 'the reconciler settled runs that no worker had ended');
      if (all < reconcileLimits.limit || signal.aborted) return;
    }
  }

  /** Logs a run that cannot be settled once, although every round tries it again. */
  private logFaults(faults: readonly { runId: string; reason: unknown }[]): void {
    for (const { runId, reason: err } of faults) {
      if (!this.unsettled.has(runId)) this.parts.log.error({ err, runId }, 'a run cannot be settled');
    }
    this.unsettled = new Set(faults.map(({ runId }) => runId));
  }

  private async findLostNodes(): Promise<void> {
    const { lost, requeued } = await this.lostNodes.find();
    this.settled.inc({ cause: 'node_worker_lost' }, lost);
    this.settled.inc({ cause: 'node_job_lost' }, requeued);
    if (lost + requeued > 0) this.parts.log.warn({ lost, requeued }, 'nodes had lost their workers or jobs');
  }

  private async restoreLostJobs(): Promise<void> {
    const restored = await this.lostJobs.restore();
    if (restored === 0) return;
    this.settled.inc({ cause: 'job_lost' }, restored);
    this.parts.log.warn({ restored }, 'queued runs had lost their jobs and got new ones');
  }
}
