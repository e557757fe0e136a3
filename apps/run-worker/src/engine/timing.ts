/** Time as the engine feels it; specs pass their own. */
export interface Timing {
  /** Monotonic milliseconds: no change of the wall clock moves it. */
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
