/** The places of a queue in this process: as many jobs may run at the same time. */
export class Places {
  private readonly waiting: (() => void)[] = [];
  private taken = 0;

  constructor(private readonly most: number) {}

  /** Places that no job has or waits for. */
  get free(): number {
    return Math.max(0, this.most - this.taken - this.waiting.length);
  }

  get isAwaited(): boolean {
    return this.waiting.length > 0;
  }

  /** Takes a place, at once if one is free. */
  async take(): Promise<void> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.taken += 1;
  }

  /** Gives the place to the job that waits longest. */
  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.taken -= 1;
  }
}
