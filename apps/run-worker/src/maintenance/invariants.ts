import { checkBalances } from '@lensforge/credits';
import type { Context } from '@lensforge/core';
import { runFaults } from '@lensforge/runs';
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';
import type { EngineLog } from '../engine/run.js';

export interface InvariantsParts {
  ctx: Context;
  everyMs: number;
  log: EngineLog;
  registry: Registry;
}

const looked = { lateMs: 60_000, latest: 500 };
/** Accounts whose balance is added up in one round; the next round goes on behind them. */
const balances = 100;

/** Looks now and then whether what must never be is not, and says so in figures that have to stay at 0. */
export class Invariants {
  private readonly violations: Gauge<'invariant'>;
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private stopped = false;
  private after: string | null = null;
  private readonly unsound = new Set<string>();

  constructor(private readonly parts: InvariantsParts) {
    this.violations = new Gauge({
      name: 'lensforge_invariant_violations',
      help: 'What must never be: anything but 0 wants somebody to look',
      labelNames: ['invariant'],
      registers: [parts.registry],
    });
  }

  start(): void {
    this.schedule(this.parts.everyMs * Math.random());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  /** Never rejects: while Postgres is away there is nothing to be said. */
  async look(): Promise<void> {
    const { ctx, log } = this.parts;
    try {
      const { stuck, unsettled, brokenEvents, unsent } = await runFaults(ctx, looked);
      await this.lookAtBalances();
      const ledger = this.unsound.size;
      const found = {
        stuck_runs: stuck,
        unsettled_credits: unsettled,
        event_gaps: brokenEvents,
        stale_outbox: unsent,
        ledger,
      };
      for (const [invariant, count] of Object.entries(found)) this.violations.set({ invariant }, count);
      if (Object.values(found).some((count) => count > 0)) log.error(found, 'an invariant does not hold');
    } catch (err) {
      log.warn({ err }, 'the invariants cannot be looked at now');
    }
  }

  private async lookAtBalances(): Promise<void> {
    const checked = await checkBalances(this.parts.ctx.db, { after: this.after, limit: balances });
    for (const { accountId, sound } of checked) {
      if (sound) this.unsound.delete(accountId);
      else this.unsound.add(accountId);
    }
    this.after = checked.length < balances ? null : (checked.at(-1)?.accountId ?? null);
  }

  private schedule(ms: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.round = this.look().finally(() => this.schedule(this.parts.everyMs));
    }, ms);
  }
}
