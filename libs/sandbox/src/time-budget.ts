/** The computation time that all tasks of a request share. */
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
