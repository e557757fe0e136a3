export interface TaskLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Logs the first failure of a task and its recovery, but not every failure in between. */
export class FailureLog {
  private readonly failing = new Set<string>();

  constructor(private readonly log: TaskLog) {}

  /** Never rejects; resolves to undefined when the work fails. */
  async attempt<T>(task: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      if (this.failing.delete(task)) this.log.info({ task }, 'a task works again');
      return result;
    } catch (err) {
      if (!this.failing.has(task)) this.log.warn({ err, task }, 'a task failed; it is retried');
      this.failing.add(task);
      return undefined;
    }
  }
}
