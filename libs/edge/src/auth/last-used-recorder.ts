import type { Logger } from '../observability/logging.js';

const flushIntervalMs = 5000;
const minuteMs = 60_000;

/** Records when credentials were last used: in batches, at most once a minute for each. */
export class LastUsedRecorder {
  private readonly recordedAt = new Map<string, number>();
  private pendingIds = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly write: (ids: readonly string[]) => Promise<void>,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => void this.flush(), flushIntervalMs).unref();
  }

  add(id: string): void {
    const now = Date.now();
    if (now - (this.recordedAt.get(id) ?? 0) < minuteMs) return;
    this.recordedAt.set(id, now);
    this.pendingIds.add(id);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async flush(): Promise<void> {
    const ids = [...this.pendingIds];
    this.pendingIds = new Set();
    const minuteAgo = Date.now() - minuteMs;
    for (const [id, at] of this.recordedAt) if (at < minuteAgo) this.recordedAt.delete(id);
    if (ids.length === 0) return;
    await this.write(ids).catch((err: unknown) => {
      this.logger.warn({ err }, 'the last use of credentials could not be stored');
    });
  }
}
