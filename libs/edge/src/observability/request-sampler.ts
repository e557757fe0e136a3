const all = 100;
const slowMs = 1000;

export interface FinishedRequest {
  status: number;
  durationMs: number;
  aborted: boolean;
}

/**
 * Decides which requests are logged: of successful ones an even share, of others all. Failed, aborted and slow requests always
 * are, since an operator searches for these.
 */
export function requestSampler(successPercent: number): (request: FinishedRequest) => boolean {
  let share = 0;
  return ({ status, durationMs, aborted }) => {
    if (successPercent >= all || status >= 400 || aborted || durationMs >= slowMs) return true;
    share += successPercent;
    if (share < all) return false;
    share -= all;
    return true;
  };
}
