import type { Timing } from './timing.js';
import type { EngineLog } from './worker-parts.js';

const pauseMs = 10_000;

/** Logs the first of many failures, and then at most one in 10 seconds. */
export function outageLog(
  { log, timing }: { log: EngineLog; timing: Timing },
  message: string,
): (reason: unknown) => void {
  let logged = false;
  return (err) => {
    if (logged) return;
    logged = true;
    log.warn({ err }, message);
    timing.after(pauseMs, () => (logged = false));
  };
}
