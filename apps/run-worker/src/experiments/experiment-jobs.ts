import { type AdvanceExperimentJob, jobs } from '@lensforge/contracts';
import { batchCalls } from '@lensforge/core';
import { deleteFromOutbox } from '@lensforge/database';
import { Platform, platformContext } from '@lensforge/edge';
import { advanceExperiment } from '@lensforge/evaluation';
import { Handles, type JobContext } from '@lensforge/queue';
import { Controller } from '@nestjs/common';
import type { RunWorkerEnvironment } from '../environment.js';

/** Starts and scores the cells of experiments. */
@Controller()
export class ExperimentJobs {
  /** Many jobs of an experiment end at the same time. */
  private readonly remove = batchCalls<string, undefined>(
    async (ids) => {
      await deleteFromOutbox(this.platform.database.manager, ids);
      return ids.map(() => undefined);
    },
    { maxSize: 200, concurrency: 1 },
  );

  constructor(private readonly platform: Platform<RunWorkerEnvironment>) {}

  @Handles(jobs.advanceExperiment)
  async advance(
    { experimentId, outboxId }: AdvanceExperimentJob,
    { requestId, traceparent }: JobContext,
  ): Promise<void> {
    const ctx = { ...platformContext(this.platform), requestId, traceparent };
    const { LENSFORGE_RUN_TIMEOUT_MS: timeoutMs } = this.platform.environment;
    await advanceExperiment(ctx, experimentId, { timeoutMs });
    await this.remove(outboxId);
  }
}
