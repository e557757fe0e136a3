import type { Logger } from '../observability/logging.js';

const noteEveryMs = 5000;
const minuteMs = 60_000;

/** Gathers what was used and writes it down now and then, at most once a minute each. */
export class LastUsedRecorder {
  private readonly notedAt = new Map<string, number>();
  private used = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly write: (ids: readonly string[]) => Promise<void>,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => void this.flush(), noteEveryMs).unref();
  }

  add(id: string): void {
    const now = Date.now();
    if (now - (this.notedAt.get(id) ?? 0) < minuteMs) return;
    this.notedAt.set(id, now);
    this.used.add(id);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async flush(): Promise<void> {
    const ids = [...this.used];
    this.used = new Set();
    const longAgo = Date.now() - minuteMs;
    for (const [id, at] of this.notedAt) if (at < longAgo) this.notedAt.delete(id);
    if (ids.length === 0) return;
    await this.write(ids).catch((err: unknown) => {
      this.logger.warn({ err }, 'could not note when credentials were last used');
    });
  }
}
