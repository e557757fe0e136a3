import { type Context, type DomainError, keyedMutex } from '@lensforge/core';
import { perDatabase } from '@lensforge/database';
import type { DataSource } from 'typeorm';
import type { Capacity, Insertion } from '../insert-runs.js';
import type { RunOrder } from '../insert-with-hold.js';
import { type RunLimits, getRunLimits, setRunLimits } from '../../run-limits.js';
import { ConcurrencySlots } from './concurrency-slots.js';
import { FreeRuns } from './free-runs.js';
import { PaidRuns } from './paid-runs.js';

/** The state that concurrent acceptances of a process share: limits, free slots and open batches. */
export class Acceptance implements Capacity {
  readonly slots: ConcurrencySlots;
  /** Serialises work by key in this process. */
  readonly inOrder = keyedMutex();
  private readonly free = new FreeRuns(this);
  private readonly paid = new PaidRuns(this);

  constructor(readonly limits: RunLimits) {
    this.slots = new ConcurrencySlots(limits.processes);
  }

  insertFree(order: RunOrder): Promise<Insertion | DomainError> {
    return this.free.insert(order);
  }

  insertPaid(order: RunOrder): Promise<Insertion | DomainError> {
    return this.paid.insert(order);
  }
}

const acceptances = perDatabase((db) => new Acceptance(getRunLimits({ db })));

export const getAcceptance = (ctx: Context): Acceptance => acceptances.of(ctx);

/** Sets the limits of a database; called once at process start. */
export function limitRuns(source: DataSource, limits: RunLimits): void {
  setRunLimits(source, limits);
  acceptances.set(source, new Acceptance(limits));
}
