/** The time that all computations of one request may take together. */
export class TimeBudget {
  private spentMs = 0;

  constructor(readonly totalMs: number) {}

  get leftMs(): number {
    return Math.max(this.totalMs - this.spentMs, 0);
  }

  spend(ms: number): void {
    this.spentMs += ms;
  }
}
