import { type ExperimentItem, type ExperimentRemoved } from '@lensforge/contracts';
import { type Context, DomainError, requireScope } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableExperiment } from './experiment-access.js';
import { appendStatus } from './experiment-events.js';
import { StoredExperiment } from './experiment.entity.js';
import { readExperimentItem } from './read-experiment.js';
import { wakeExperiment } from './wake-experiment.js';

/** Cancels an experiment with its runs; a worker does. One that is being canceled stays as it is. */
export function cancelExperiment(ctx: Context, experimentId: string): Promise<ExperimentItem> {
  return inTransaction(ctx, async (ctx) => {
    const { id, status } = await writableExperiment(ctx, experimentId);
    if (status !== 'canceling' && status !== 'canceled') {
      if (status !== 'running') throw hasEnded(status, 'canceled');
      await ctx.db.update(StoredExperiment, { id }, { status: 'canceling' });
      await appendStatus(ctx, id, 'canceling');
      await wakeExperiment(ctx, id);
    }
    return readExperimentItem(ctx, id);
  });
}

export interface Resumption {
  experimentId: string;
  budget?: number | undefined;
}

/** Continues an incomplete experiment: cells without a score start again, those with one keep it. */
export function resumeExperiment(ctx: Context, { experimentId, budget }: Resumption): Promise<ExperimentItem> {
  return inTransaction(ctx, async (ctx) => {
    const { id, status, workflowId } = await writableExperiment(ctx, experimentId);
    if (workflowId !== null) requireScope(ctx, 'workflows:write');
    if (status !== 'running') {
      if (status !== 'incomplete') throw hasEnded(status, 'resumed');
      const running = { status: 'running', reason: null, results: null, outcome: null, completedAt: null } as const;
      await ctx.db.update(
        StoredExperiment,
        { id },
        { ...running, askedBy: ctx.actor, ...(budget !== undefined && { budget: String(budget) }) },
      );
      await appendStatus(ctx, id, 'running');
      await wakeExperiment(ctx, id);
    }
    return readExperimentItem(ctx, id);
  });
}

/** Deletes an experiment that has ended; its runs stay. */
export function removeExperiment(ctx: Context, experimentId: string): Promise<ExperimentRemoved> {
  return inTransaction(ctx, async (ctx) => {
    const { id, completedAt, status } = await writableExperiment(ctx, experimentId);
    if (completedAt === null) {
      throw new DomainError('CONFLICT', `The experiment is ${status}: cancel it, and delete it when it has ended`);
    }
    await ctx.db.delete(StoredExperiment, { id });
    return { experimentId: id, removed: true };
  });
}

/** Deletes all experiments of the caller, whose account is closed. */
export async function eraseExperiments(ctx: Context): Promise<void> {
  await ctx.db.delete(StoredExperiment, { accountId: ctx.actor.accountId });
}

const hasEnded = (status: string, verb: string): DomainError =>
  new DomainError('INVALID_TRANSITION', `The experiment is ${status} and cannot be ${verb}`, { status });
