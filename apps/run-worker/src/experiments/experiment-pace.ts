import { performance } from 'node:perf_hooks';

/** How long other runs count after they were claimed. */
const otherRunsMs = 1000;
/** The share of its time that this process may be busy while other runs are executed beside experiments. */
const busyShare = 0.5;
const measureMs = 100;
/** More than an experiment may have. */
const most = 1000;
/** The limit from which it is halved first. */
const first = 32;

export interface ProcessLoad {
  now: () => number;
  /** The share of its time that the process was busy since the last call. */
  busy: () => number;
}

function loadOfProcess(): ProcessLoad {
  let before = performance.eventLoopUtilization();
  return {
    now: () => performance.now(),
    busy: () => {
      const used = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(used, before);
      before = used;
      return utilization;
    },
  };
}

/** The number of runs that experiments have at a time: fewer while other runs are executed and this process is busy. */
export class ExperimentPace {
  private othersUntil = -Infinity;
  private measuredAt = -Infinity;
  private limit = most;

  constructor(private readonly load: ProcessLoad = loadOfProcess()) {}

  /** Notes the claim of a run that belongs to no experiment. */
  noteOtherRun(): void {
    this.othersUntil = this.load.now() + otherRunsMs;
  }

  /** The most runs at a time now. It is halved while the process is busy, and grows by one when it is not. */
  maxAtOnce(): number {
    const now = this.load.now();
    if (now >= this.othersUntil) return (this.limit = most);
    if (now - this.measuredAt >= measureMs) {
      this.measuredAt = now;
      const isBusy = this.load.busy() > busyShare;
      this.limit = isBusy ? Math.max(1, Math.floor(Math.min(this.limit, first) / 2)) : Math.min(most, this.limit + 1);
    }
    return this.limit;
  }
}
