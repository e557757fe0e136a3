import type { Log } from './log.js';

/** Logs a fault at most once in this time; the next line has the number of faults in between. */
const quietMs = 60_000;

/** Logs the faults of queues. A server that refuses every command would otherwise cause thousands of lines a second. */
export class RepeatedFaults {
  private readonly known = new Map<string, { loggedAt: number; suppressed: number }>();

  constructor(
    private readonly log: Log,
    private readonly now: () => number = () => performance.now(),
  ) {}

  report(queue: string, reason: string): void {
    const kind = `${queue} ${firstWord(reason)}`;
    const { loggedAt, suppressed } = this.known.get(kind) ?? { loggedAt: -Infinity, suppressed: 0 };
    const now = this.now();
    if (now - loggedAt < quietMs) {
      this.known.set(kind, { loggedAt, suppressed: suppressed + 1 });
      return;
    }
    this.known.set(kind, { loggedAt: now, suppressed: 0 });
    this.log.warn({ queue, reason, ...(suppressed > 0 && { suppressed }) }, 'the queue reported an error');
  }
}

/** The first word of an error of Redis is its kind: MOVED, NOPERM, OOM. The rest may differ each time. */
const firstWord = (reason: string): string => /^\S*/.exec(reason)?.[0] ?? '';
