import type { Context } from '@lensforge/core';
import { checkBalances } from '@lensforge/credits';
import { runFaults } from '@lensforge/runs';
import { Gauge, type Registry } from 'prom-client';
import type { EngineLog } from '../engine/worker-parts.js';

export interface InvariantsParts {
  ctx: Context;
  log: EngineLog;
  registry: Registry;
}

const limits = { lateMs: 60_000, latest: 500 };
/** The accounts whose balance is checked in one round; the next round continues behind them. */
const balancesPerRound = 100;

/** Checks invariants and publishes the violations as metrics that must stay at 0. */
export class Invariants {
  private readonly violations: Gauge<'invariant'>;
  private after: string | null = null;
  private readonly wrongBalances = new Set<string>();

  constructor(private readonly parts: InvariantsParts) {
    this.violations = new Gauge({
      name: 'lensforge_invariant_violations',
      help: 'Violations of an invariant; anything but 0 is a defect that needs an operator',
      labelNames: ['invariant'],
      registers: [parts.registry],
    });
  }

  async check(): Promise<void> {
    const { ctx, log } = this.parts;
    const { stuck, unsettled, brokenEvents, unsent } = await runFaults(ctx, limits);
    await this.checkBalances();
    const found = {
      stuck_runs: stuck,
      unsettled_credits: unsettled,
      event_gaps: brokenEvents,
      stale_outbox: unsent,
      ledger: this.wrongBalances.size,
    };
    for (const [invariant, count] of Object.entries(found)) this.violations.set({ invariant }, count);
    if (Object.values(found).some((count) => count > 0)) log.error(found, 'an invariant does not hold');
  }

  private async checkBalances(): Promise<void> {
    const checked = await checkBalances(this.parts.ctx.db, { after: this.after, limit: balancesPerRound });
    for (const { accountId, sound } of checked) {
      if (sound) this.wrongBalances.delete(accountId);
      else this.wrongBalances.add(accountId);
    }
    this.after = checked.length < balancesPerRound ? null : (checked.at(-1)?.accountId ?? null);
  }
}
