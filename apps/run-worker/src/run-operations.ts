import { type RunOperationJob, jobs } from '@lensforge/contracts';
import { Platform, platformContext } from '@lensforge/edge';
import { Handles, type JobContext } from '@lensforge/queue';
import { carryOutRunOperation } from '@lensforge/runs';
import { Controller } from '@nestjs/common';
import type { RunWorkerEnvironment } from './environment.js';
import { RunRates } from './run-rates.js';

const limits = { leaseMs: 30_000, page: 100, pauseMs: 5000 };

/** Executes cancels and retries of many runs. */
@Controller()
export class RunOperations {
  constructor(
    private readonly platform: Platform<RunWorkerEnvironment>,
    private readonly rates: RunRates,
  ) {}

  @Handles(jobs.carryOutRunOperation)
  async carryOut(job: RunOperationJob, { requestId, traceparent, signal }: JobContext): Promise<void> {
    const { logger } = this.platform;
    await carryOutRunOperation({ ...platformContext(this.platform), requestId, traceparent }, job, {
      ...limits,
      signal,
      countRun: this.rates.count,
      onFault: (err, runId) => logger.error({ err, runId }, 'an operation failed for a run'),
    });
  }
}
