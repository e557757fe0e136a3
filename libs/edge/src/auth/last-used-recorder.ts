import { PeriodicTask } from '../boot/periodic-task.js';
import type { Logger } from '../observability/logging.js';

const writeEveryMs = 5000;
const minuteMs = 60_000;

/** Collects the ids of used credentials and writes each at most once a minute. */
export class LastUsedRecorder {
  private readonly recordedAt = new Map<string, number>();
  private used = new Set<string>();
  private readonly task: PeriodicTask;

  constructor(
    private readonly write: (ids: readonly string[]) => Promise<void>,
    log: Logger,
  ) {
    const options = { name: 'recording when credentials were last used', everyMs: writeEveryMs, lastRound: true, log };
    this.task = new PeriodicTask(options, () => this.flush());
    this.task.start();
  }

  add(id: string): void {
    const now = Date.now();
    if (now - (this.recordedAt.get(id) ?? 0) < minuteMs) return;
    this.recordedAt.set(id, now);
    this.used.add(id);
  }

  close(): Promise<void> {
    return this.task.stop();
  }

  private async flush(): Promise<void> {
    const ids = [...this.used];
    this.used = new Set();
    const longAgo = Date.now() - minuteMs;
    for (const [id, at] of this.recordedAt) if (at < longAgo) this.recordedAt.delete(id);
    if (ids.length > 0) await this.write(ids);
  }
}
