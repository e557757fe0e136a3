import type { RunEvent, RunOperationJob } from '@lensforge/contracts';
import { cancelChannel, jobs } from '@lensforge/contracts';
import { Platform, platformContext } from '@lensforge/edge';
import type { JobContext, OutboxPublisher, Publisher } from '@lensforge/queue';
import { Handles } from '@lensforge/queue';
import type { AcceptedRun } from '@lensforge/runs';
import { carryOutRunOperation } from '@lensforge/runs';
import { Controller } from '@nestjs/common';
import type { RunWorkerEnvironment } from './environment.js';
import type { Admission } from './maintenance/admission.js';
import { RunRates } from './run-rates.js';

const limits = { leaseMs: 30_000, page: 100, pauseMs: 5000 };

/** Publishes what an operation on runs has committed: events, cancellations and jobs. */
export class OperationPublisher {
  constructor(
    private readonly parts: {
      outbox: OutboxPublisher;
      publisher: Publisher;
      admission: Admission;
      publish: (events: readonly RunEvent[]) => void;
    },
  ) {}

  publish = (events: readonly RunEvent[]): void => this.parts.publish(events);

  requestStop = (runId: string): void => this.parts.publisher.publish(cancelChannel, runId);

  runEnded = (accountId: string): void => this.parts.admission.ended(accountId);

  runAccepted = ({ handOver, waits, others }: AcceptedRun): void => {
    if (handOver) void this.parts.outbox.handOver([handOver]);
    if (waits) this.runEnded(waits.accountId);
    if (!others) return;
    this.publish(others.events);
    for (const runId of others.runsToStop) this.requestStop(runId);
  };
}

/** Executes cancels and retries of many runs. */
@Controller()
export class RunOperations {
  constructor(
    private readonly platform: Platform<RunWorkerEnvironment>,
    private readonly publisher: OperationPublisher,
    private readonly rates: RunRates,
  ) {}

  @Handles(jobs.carryOutRunOperation)
  async carryOut(job: RunOperationJob, { requestId, traceparent, signal }: JobContext): Promise<void> {
    const { logger } = this.platform;
    const { publish, requestStop, runEnded, runAccepted } = this.publisher;
    await carryOutRunOperation({ ...platformContext(this.platform), requestId, traceparent }, job, {
      ...limits,
      publish,
      requestStop,
      runEnded,
      runAccepted,
      signal,
      countRun: this.rates.count,
      onFault: (err, runId) => logger.error({ err, runId }, 'an operation failed for a run'),
    });
  }
}
