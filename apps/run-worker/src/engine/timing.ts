/** The clock and timers of the engine; specs pass their own. */
export interface Timing {
  /** Monotonic milliseconds. */
  now: () => number;
  after: (ms: number, work: () => void) => { cancel: () => void };
}

export const realTiming: Timing = {
  now: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
