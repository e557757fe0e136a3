/** A clock that moves only when the spec calls `go`. */
export class StoppedClock {
  at = 0;
  private timers: { due: number; work: () => void }[] = [];

  readonly timing = {
    now: () => this.at,
    after: (ms: number, work: () => void) => {
      const timer = { due: this.at + ms, work };
      this.timers.push(timer);
      return { cancel: () => (this.timers = this.timers.filter((each) => each !== timer)) };
    },
  };

  async go(ms: number): Promise<void> {
    const until = this.at + ms;
    for (;;) {
      const [next] = this.timers.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due);
      if (!next) break;
      this.timers = this.timers.filter((each) => each !== next);
      this.at = next.due;
      next.work();
      await settled();
    }
    this.at = until;
  }

  get waiting(): number {
    return this.timers.length;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
