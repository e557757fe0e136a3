interface Cooldown {
  failures: number;
  until: number;
  probing: boolean;
}

const firstMs = 2000;
const mostMs = 120_000;
const mostNames = 10_000;

/**
 * Who failed lately is left alone for a while that grows; then one call tries whether it is back, and while that is
 * under way the others go on without it. In this process only.
 */
export class Cooldowns {
  private readonly cooling = new Map<string, Cooldown>();

  constructor(private readonly now: () => number) {}

  mayAsk(name: string): boolean {
    const cooldown = this.cooling.get(name);
    return !cooldown || (!cooldown.probing && this.now() >= cooldown.until);
  }

  begin(name: string): void {
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

  /** The call ended without saying anything about whoever was asked. */
  leftOpen(name: string): void {
    const cooldown = this.cooling.get(name);
    if (cooldown) cooldown.probing = false;
  }
}
