import type { RunLimits } from '../accept/run-limits.js';

interface Left {
  /** Runs of the account that are on their way, as far as is known here. */
  taken: number;
  places: number;
  until: number;
}

const rememberedMs = 500;
/** As many processes may remember the same places. */
const sharers = 4;
const mostRemembered = 10_000;
/** Whoever is refused is to come back after seconds: a place that is free for this long is missed by nobody. */
const fullMs = 200;

/**
 * What the last count of an account's runs has left, for a moment: counting costs more than all else about an acceptance.
 * Of the places that were found a process gives away a part only, since others have found the same.
 */
export class ConcurrencySlots {
  private readonly known = new Map<string, Left>();
  /** Accounts that were found with as many runs as they may have, and until when that is believed. */
  private readonly full = new Map<string, number>();

  /** How many are taken before these; undefined when they are to be counted. */
  take(accountId: string, count: number): number | undefined {
    const left = this.known.get(accountId);
    if (!left || left.places < count || performance.now() > left.until) return undefined;
    const before = left.taken;
    left.places -= count;
    left.taken += count;
    return before;
  }

  /** Whether an account was just found with as many runs as it may have. */
  isFull(accountId: string): boolean {
    const until = this.full.get(accountId);
    if (until === undefined) return false;
    if (performance.now() <= until) return true;
    this.full.delete(accountId);
    return false;
  }

  recordFull(accountId: string): void {
    if (this.full.size >= mostRemembered) this.full.clear();
    this.full.set(accountId, performance.now() + fullMs);
  }

  /** What was just counted. No room: the next ones are counted again. */
  record(accountId: string, { taken, room }: { taken: number; room: number }): void {
    const places = Math.floor(room / sharers);
    if (places < 1) this.known.delete(accountId);
    else {
      if (this.known.size >= mostRemembered) this.known.clear();
      this.known.set(accountId, { taken, places, until: performance.now() + rememberedMs });
    }
  }
}

const all = new WeakMap<RunLimits, ConcurrencySlots>();

export function slotsFor(limits: RunLimits): ConcurrencySlots {
  let places = all.get(limits);
  if (!places) all.set(limits, (places = new ConcurrencySlots()));
  return places;
}
