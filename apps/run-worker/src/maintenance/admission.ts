import type { Context } from '@lensforge/core';
import { scrapedGauges } from '@lensforge/queue';
import {
  type WaitingKey,
  accountsWithWaitingRuns,
  admitRuns,
  countWaiting,
  dropStaleClaims,
  passClaims,
  startDueRuns,
  unclaimedKeys,
} from '@lensforge/runs';
import type { Registry } from 'prom-client';

export interface AdmissionParts {
  ctx: Context;
  registry: Registry;
  /** Monotonic. */
  now: () => number;
}

const maxDue = 500;
const maxAccounts = 200;
const maxKeys = 200;
const dropEveryMs = 60_000;

/** Admits waiting runs to the concurrency slots of runs that have ended. */
export class Admission {
  private accountsAfter: string | null = null;
  private keysAfter: WaitingKey | null = null;
  private droppedAt: number;

  constructor(private readonly parts: AdmissionParts) {
    this.droppedAt = parts.now();
    scrapedGauges(parts.registry, () => countWaiting(parts.ctx), [
      {
        name: 'lensforge_runs_waiting',
        help: 'Queued runs without a job, by the reason why they wait; counted up to 100,000',
        labelNames: ['for'],
        samples: (counts) => Object.entries(counts).map(([what, runs]: [string, number]) => [{ for: what }, runs]),
      },
    ]);
  }

  /** Starts delayed runs that are due, and admits runs whose admission was missed when a process died. */
  async catchUp(): Promise<void> {
    const { ctx, now } = this.parts;
    while ((await startDueRuns(ctx, { limit: maxDue })) === maxDue);
    const keys = await unclaimedKeys(ctx, { after: this.keysAfter, limit: maxKeys });
    this.keysAfter = keys.last;
    await passClaims(ctx, keys.free);
    const accounts = await accountsWithWaitingRuns(ctx, { after: this.accountsAfter, limit: maxAccounts });
    this.accountsAfter = accounts.last;
    await admitRuns(ctx, accounts.accountIds);
    if (now() - this.droppedAt < dropEveryMs) return;
    this.droppedAt = now();
    await dropStaleClaims(ctx);
  }
}
