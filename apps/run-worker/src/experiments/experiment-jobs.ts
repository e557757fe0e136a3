import { setTimeout as pause } from 'node:timers/promises';
import { type AdvanceExperimentJob, jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { deleteFromOutbox } from '@lensforge/database';
import { Platform, platformContext } from '@lensforge/edge';
import { type Pause, advanceExperiment, wakeExperiment } from '@lensforge/evaluation';
import { Handles, type JobContext } from '@lensforge/queue';
import { Controller } from '@nestjs/common';
import { ExperimentPace } from './experiment-pace.js';
import type { RunWorkerEnvironment } from '../environment.js';

/**
 * The pauses between rounds: short while cells end, longer while all wait for their models. For runs that take longer than a round
 * they are at most a part of what a run takes, so that no place stays empty for long.
 */
const pauses = { leastMs: 4, mostMs: 250, roundMs: 20, share: 1 / 16 };

const pauseBetween = ({ idleRounds, usualMs = 0 }: Pause): number => {
  const { leastMs, mostMs, roundMs, share } = pauses;
  const grown = Math.min(leastMs * 2 ** idleRounds, mostMs);
  return usualMs < roundMs ? grown : Math.min(grown, Math.max(leastMs, usualMs * share));
};

/** Advances experiments until they end or the worker stops, whatever the number of their runs. */
@Controller()
export class ExperimentJobs {
  /** The experiments that this worker advances. */
  private readonly advancing = new Map<string, Promise<void>>();

  constructor(
    private readonly platform: Platform<RunWorkerEnvironment>,
    private readonly pace: ExperimentPace,
  ) {
    platform.drain.onDrain('experiments', () => Promise.all(this.advancing.values()));
  }

  /** The job ends when its work has begun: an experiment that is lost with its worker is restored by its row. */
  @Handles(jobs.advanceExperiment)
  async advance(
    { experimentId, outboxId }: AdvanceExperimentJob,
    { requestId, traceparent }: JobContext,
  ): Promise<void> {
    const ctx = { ...platformContext(this.platform), requestId, traceparent };
    if (!this.advancing.has(experimentId)) {
      const work = this.run(ctx, experimentId).finally(() => this.advancing.delete(experimentId));
      this.advancing.set(experimentId, work);
    }
    await deleteFromOutbox(ctx.db, [outboxId]);
  }

  private async run(ctx: Context, experimentId: string): Promise<void> {
    const { environment, drain, logger } = this.platform;
    const pauseBesideOthers = this.pace.pauses();
    try {
      await advanceExperiment(ctx, experimentId, {
        timeoutMs: environment.LENSFORGE_RUN_TIMEOUT_MS,
        wait: async (after) => {
          await pause(Math.max(pauseBetween(after), pauseBesideOthers()), undefined, { signal: drain.signal }).catch(
            () => undefined,
          );
          return !drain.draining;
        },
      });
      if (drain.draining) await wakeExperiment(ctx, experimentId);
    } catch (err) {
      logger.error({ err, experimentId }, 'an experiment could not be advanced; it is tried again');
    }
  }
}
