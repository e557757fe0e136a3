import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { batchCalls } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import { FailureLog } from '@lensforge/edge';
import { scrapedGauges } from '@lensforge/queue';
import type { WaitingKey } from '@lensforge/runs';
import {
  accountsWithWaitingRuns,
  admitRuns,
  countWaiting,
  dropStaleClaims,
  unclaimedKeys,
  passClaims,
  startDueRuns,
} from '@lensforge/runs';
import type { Registry } from 'prom-client';
import type { EngineLog } from '../engine/run.js';

export interface AdmissionParts {
  ctx: Context;
  /** Gives jobs to the queue right after their commit. */
  handOver: (rows: readonly OutboxRow[]) => Promise<void>;
  publish: (events: readonly RunEvent[]) => void;
  log: EngineLog;
  registry: Registry;
  /** Monotonic. */
  now: () => number;
}

const mostDue = 500;
const mostAccounts = 200;
const mostKeys = 200;
const dropEveryMs = 60_000;

/** Admits waiting runs to the concurrency slots of runs that have ended. */
export class Admission {
  private readonly admit: (accountId: string) => Promise<undefined>;
  private readonly failures: FailureLog;
  private accountsAfter: string | null = null;
  private keysAfter: WaitingKey | null = null;
  private droppedAt: number;

  constructor(private readonly parts: AdmissionParts) {
    this.droppedAt = parts.now();
    this.failures = new FailureLog(parts.log);
    this.admit = batchCalls(
      async (accountIds: string[]) => {
        await this.admitAll(accountIds);
        return accountIds.map(() => undefined);
      },
      { most: 500, atOnce: 1 },
    );
    scrapedGauges(parts.registry, () => countWaiting(parts.ctx), [
      {
        name: 'lensforge_runs_waiting',
        help: 'Queued runs without a job, by the reason why they wait; counted up to 100,000',
        labelNames: ['for'],
        samples: (counts) => Object.entries(counts).map(([what, runs]: [string, number]) => [{ for: what }, runs]),
      },
    ]);
  }

  /** Admits runs of an account after one of its runs has ended, in the background; catchUp makes up for a failure. */
  ended(accountId: string): void {
    void this.failures.attempt('admitting runs of an account', () => this.admit(accountId));
  }

  /** Starts delayed runs that are due, and admits runs whose admission was missed when a process died. */
  async catchUp(): Promise<void> {
    const { ctx, publish, now } = this.parts;
    for (;;) {
      const { started, events } = await startDueRuns(ctx, { limit: mostDue });
      publish(events);
      if (started < mostDue) break;
    }
    const keys = await unclaimedKeys(ctx, { after: this.keysAfter, limit: mostKeys });
    this.keysAfter = keys.last;
    await passClaims(ctx, keys.free);
    const accounts = await accountsWithWaitingRuns(ctx, { after: this.accountsAfter, limit: mostAccounts });
    this.accountsAfter = accounts.last;
    await this.admitAll(accounts.accountIds);
    if (now() - this.droppedAt < dropEveryMs) return;
    this.droppedAt = now();
    await dropStaleClaims(ctx);
  }

  private async admitAll(accountIds: readonly string[]): Promise<void> {
    const rows = await admitRuns(this.parts.ctx, accountIds);
    if (rows.length > 0) void this.parts.handOver(rows);
  }
}
