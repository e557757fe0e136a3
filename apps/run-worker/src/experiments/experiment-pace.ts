import { performance } from 'node:perf_hooks';

/** How long other runs count after they were claimed. */
const otherRunsMs = 1000;
/** The share of the time of this process that an experiment may use while other runs are executed. */
const share = 1 / 20;
const longestPauseMs = 500;

export interface ProcessLoad {
  now: () => number;
  /** The milliseconds for which the process was busy so far. */
  busyMs: () => number;
}

const loadOfProcess: ProcessLoad = {
  now: () => performance.now(),
  busyMs: () => performance.eventLoopUtilization().active,
};

/** Makes experiments pause between their rounds while other runs are executed. Then their cells run in short bursts. */
export class ExperimentPace {
  private othersUntil = -Infinity;

  constructor(private readonly load: ProcessLoad = loadOfProcess) {}

  /** Notes the claim of a run that belongs to no experiment. */
  noteOtherRun(): void {
    this.othersUntil = this.load.now() + otherRunsMs;
  }

  /** The pauses of one experiment: each lasts longer, the more this process had to do since the one before. */
  pauses(): () => number {
    let before = this.load.busyMs();
    return () => {
      const busy = this.load.busyMs();
      const used = busy - before;
      before = busy;
      return this.load.now() < this.othersUntil ? Math.min(longestPauseMs, used * (1 / share - 1)) : 0;
    };
  }
}
