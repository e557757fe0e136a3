import type { RunEvent, RunOperationJob } from '@lensforge/contracts';
import { cancelChannel, jobs } from '@lensforge/contracts';
import { platformActor } from '@lensforge/core';
import { Platform } from '@lensforge/edge';
import type { JobContext, Publisher, OutboxPublisher } from '@lensforge/queue';
import { Handles } from '@lensforge/queue';
import type { AcceptedRun } from '@lensforge/runs';
import { carryOutRunOperation } from '@lensforge/runs';
import { Controller } from '@nestjs/common';
import type { Admission } from './maintenance/admission.js';
import type { RunWorkerEnvironment } from './environment.js';
import { RunRates } from './run-rates.js';

const limits = { leaseMs: 30_000, page: 100, pauseMs: 5000 };

/** What leaves this process after the commit of an operation on a run. */
export class OperationPublisher {
  constructor(
    private readonly parts: {
      relay: OutboxPublisher;
      publisher: Publisher;
      admission: Admission;
      tell: (events: readonly RunEvent[]) => void;
    },
  ) {}

  tell = (events: readonly RunEvent[]): void => this.parts.tell(events);

  askToStop = (runId: string): void => this.parts.publisher.publish(cancelChannel, runId);

  ended = (accountId: string): void => this.parts.admission.ended(accountId);

  follow = ({ handOver, waits, others }: AcceptedRun): void => {
    if (handOver) void this.parts.relay.handOver([handOver]);
    if (waits) this.ended(waits.accountId);
    if (!others) return;
    this.tell(others.events);
    for (const runId of others.runsToStop) this.askToStop(runId);
  };
}

/** Carries out what was asked for many runs at once. */
@Controller()
export class RunOperations {
  constructor(
    private readonly platform: Platform<RunWorkerEnvironment>,
    private readonly mail: OperationPublisher,
    private readonly rates: RunRates,
  ) {}

  @Handles(jobs.carryOutRunOperation)
  async carryOut(job: RunOperationJob, { requestId, traceparent, signal }: JobContext): Promise<void> {
    const { database, logger, now } = this.platform;
    const { tell: publish, askToStop: requestStop, ended: runEnded, follow: runAccepted } = this.mail;
    await carryOutRunOperation({ actor: platformActor, db: database.manager, now, requestId, traceparent }, job, {
      ...limits,
      ...{ publish, requestStop, runEnded, runAccepted, signal, countRun: this.rates.count },
      onFault: (err, runId) => logger.error({ err, runId }, 'an operation cannot deal with a run'),
    });
  }
}
