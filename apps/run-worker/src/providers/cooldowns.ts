import type { PauseReason } from '@lensforge/contracts';

export interface Cooldown {
  failures: number;
  reason: PauseReason;
  /** The first of the failures in succession. */
  since: number;
  until: number;
  probing: boolean;
}

const firstMs = 2000;
const maxMs = 120_000;
const maxNames = 10_000;

/**
 * A circuit breaker for each model, in this process only. After a failure the model is not called for a growing time; then
 * one call probes it while the others still pass it over.
 */
export class Cooldowns {
  private readonly cooling = new Map<string, Cooldown>();

  constructor(private readonly now: () => number) {}

  isAvailable(name: string): boolean {
    const cooldown = this.cooling.get(name);
    return !cooldown || (!cooldown.probing && this.now() >= cooldown.until);
  }

  startProbe(name: string): void {
    const cooldown = this.cooling.get(name);
    if (cooldown) cooldown.probing = true;
  }

  succeeded(name: string): void {
    this.cooling.delete(name);
  }

  failed(name: string, reason: PauseReason, retryAfterMs = 0): void {
    const { failures: earlier, since } = this.cooling.get(name) ?? { failures: 0, since: this.now() };
    const failures = earlier + 1;
    const pause = Math.min(Math.max(firstMs * 2 ** (failures - 1), retryAfterMs), maxMs);
    this.cooling.delete(name);
    this.cooling.set(name, { failures, reason, since, until: this.now() + pause, probing: false });
    const [oldest] = this.cooling.keys();
    if (this.cooling.size > maxNames && oldest !== undefined) this.cooling.delete(oldest);
  }

  /** The models that are not called now, by their names. */
  active(): [name: string, cooldown: Readonly<Cooldown>][] {
    return [...this.cooling].filter(([name]) => !this.isAvailable(name));
  }

  /** Ends a probe without a result. */
  endProbe(name: string): void {
    const cooldown = this.cooling.get(name);
    if (cooldown) cooldown.probing = false;
  }
}
