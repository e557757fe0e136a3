interface Cooldown {
  failures: number;
  until: number;
  probing: boolean;
}

const firstMs = 2000;
const mostMs = 120_000;
const mostNames = 10_000;

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

  failed(name: string, retryAfterMs = 0): void {
    const failures = (this.cooling.get(name)?.failures ?? 0) + 1;
    const pause = Math.min(Math.max(firstMs * 2 ** (failures - 1), retryAfterMs), mostMs);
    this.cooling.delete(name);
    this.cooling.set(name, { failures, until: this.now() + pause, probing: false });
    const [oldest] = this.cooling.keys();
    if (this.cooling.size > mostNames && oldest !== undefined) this.cooling.delete(oldest);
  }

  /** Ends a probe without a result. */
  endProbe(name: string): void {
    const cooldown = this.cooling.get(name);
    if (cooldown) cooldown.probing = false;
  }
}
