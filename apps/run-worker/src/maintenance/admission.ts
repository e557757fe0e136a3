import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { batchCalls } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
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
import { scrapedGauges } from '@lensforge/queue';
import type { Registry } from 'prom-client';
import type { EngineLog } from '../engine/run.js';

export interface AdmissionParts {
  ctx: Context;
  /** Gives jobs to the queue right after the commit that made them. */
  handOver: (rows: readonly OutboxRow[]) => Promise<void>;
  tell: (events: readonly RunEvent[]) => void;
  log: EngineLog;
  registry: Registry;
  /** Monotonic. */
  now: () => number;
}

const mostDue = 500;
const mostAccounts = 200;
const mostKeys = 200;
const dropEveryMs = 60_000;

/** Gives the places of runs that have ended to those that wait. */
export class Admission {
  private readonly admit: (accountId: string) => Promise<undefined>;
  private accountsAfter: string | null = null;
  private keysAfter: WaitingKey | null = null;
  private droppedAt: number;
  private failing = false;

  constructor(private readonly parts: AdmissionParts) {
    this.droppedAt = parts.now();
    this.admit = batchCalls(
      async (accountIds: string[]) => {
        await this.admitTo(accountIds);
        return accountIds.map(() => undefined);
      },
      { most: 500, atOnce: 1 },
    );
    scrapedGauges(parts.registry, () => countWaiting(parts.ctx), [
      {
        name: 'lensforge_runs_waiting',
        help: 'Queued runs that have no job yet, by what they wait for; ends at 100,000',
        labelNames: ['for'],
        samples: (counts) => Object.entries(counts).map(([what, runs]: [string, number]) => [{ for: what }, runs]),
      },
    ]);
  }

  /** A run of this account has ended. Nobody waits for it; what goes wrong is made up for within a second. */
  ended(accountId: string): void {
    this.admit(accountId).then(
      () => (this.failing = false),
      (err: unknown) => {
        if (!this.failing) this.parts.log.warn({ err }, 'waiting runs cannot be admitted at the moment');
        this.failing = true;
      },
    );
  }

  /** What nobody's end brings about: times that have come, and what was missed when a process died. */
  async catchUp(): Promise<void> {
    const { ctx, tell, now } = this.parts;
    for (;;) {
      const { started, events } = await startDueRuns(ctx, { limit: mostDue });
      tell(events);
      if (started < mostDue) break;
    }
    const keys = await unclaimedKeys(ctx, { after: this.keysAfter, limit: mostKeys });
    this.keysAfter = keys.last;
    await passClaims(ctx, keys.free);
    const accounts = await accountsWithWaitingRuns(ctx, { after: this.accountsAfter, limit: mostAccounts });
    this.accountsAfter = accounts.last;
    await this.admitTo(accounts.accountIds);
    if (now() - this.droppedAt < dropEveryMs) return;
    this.droppedAt = now();
    await dropStaleClaims(ctx);
  }

  private async admitTo(accountIds: readonly string[]): Promise<void> {
    const rows = await admitRuns(this.parts.ctx, accountIds);
    if (rows.length > 0) void this.parts.handOver(rows);
  }
}
