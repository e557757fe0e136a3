interface FreeSlots {
  /** Admitted runs of the account, as far as this process knows. */
  taken: number;
  slots: number;
  isCrowded: boolean;
  until: number;
}

const cacheMs = 500;
/** The least number of processes among which free slots are shared, for those that are not announced. */
const minProcesses = 4;
const maxAccounts = 10_000;
/** Clients retry a refusal after seconds, so this delay of a free slot does not matter. */
const fullMs = 200;

/**
 * Caches the free slots of accounts for a moment, because counting runs is the most expensive part of an acceptance. A
 * process uses only its share of the slots, since other processes may have counted the same ones.
 */
export class ConcurrencySlots {
  private readonly free = new Map<string, FreeSlots>();
  private readonly processes: number;
  /** Accounts that have reached their backlog limit, with the expiry of that information. */
  private readonly full = new Map<string, number>();

  /** `processes`: the announced number of processes that may cache the same free slots. */
  constructor(processes = minProcesses) {
    this.processes = Math.max(processes, minProcesses);
  }

  /** Takes slots and returns the number of runs before these; undefined when the runs must be counted. */
  take(accountId: string, count: number): number | undefined {
    const free = this.free.get(accountId);
    if (!free || free.slots < count || performance.now() > free.until) return undefined;
    const before = free.taken;
    free.slots -= count;
    free.taken += count;
    return before;
  }

  /** Returns whether the last count, a moment ago, found no free slot: admitRuns assigns the rest. */
  isCrowded(accountId: string): boolean {
    const free = this.free.get(accountId);
    return free !== undefined && free.isCrowded && performance.now() <= free.until;
  }

  /** Returns whether the account was just found at its backlog limit. */
  isFull(accountId: string): boolean {
    const until = this.full.get(accountId);
    if (until === undefined) return false;
    if (performance.now() <= until) return true;
    this.full.delete(accountId);
    return false;
  }

  recordFull(accountId: string): void {
    if (this.full.size >= maxAccounts) this.full.clear();
    this.full.set(accountId, performance.now() + fullMs);
  }

  /** Records the result of a count; without free slots the next runs are counted again. */
  record(accountId: string, { taken, free }: { taken: number; free: number }): void {
    if (this.free.size >= maxAccounts) this.free.clear();
    const slots = Math.max(Math.floor(free / this.processes), 0);
    this.free.set(accountId, { taken, slots, isCrowded: free < 1, until: performance.now() + cacheMs });
  }
}
