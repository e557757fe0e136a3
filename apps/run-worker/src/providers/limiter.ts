import type { Timing } from '../engine/timing.js';
import { type Allowance, ProviderFault, type Rates } from './provider.js';

/** The longest wait of a call; a run that would wait longer is retried later. */
const maxWaitMs = 10_000;
const firstPauseMs = 1000;
const maxPauseMs = 60_000;
const maxKeys = 10_000;

interface Budget {
  limit: number | undefined;
  remaining: number;
  resetAt: number;
}

interface Waiter {
  tokens: number;
  until: number;
  admit: () => void;
  refuse: (reason: unknown) => void;
}

/** A key that a provider has refused. */
export interface Block {
  since: number;
  until: number;
  refusals: number;
  waiting: number;
}

/** The known limits of one key of one provider. */
class KeyState {
  requests: Budget | undefined;
  tokens: Budget | undefined;
  blockedUntil = 0;
  /** The first of the refusals. */
  refusedSince = 0;
  /** Refusals since the last successful call. */
  refusals = 0;
  inFlight = 0;
  timer: { cancel: () => void } | undefined;
  readonly waiting: Waiter[] = [];
}

/**
 * Delays calls before the provider refuses them, by the limits that it reports and by its refusals. Each key has a FIFO queue
 * of its own, in this process only.
 */
export class Limiter {
  private readonly keys = new Map<string, KeyState>();

  constructor(private readonly timing: Timing) {}

  /** Resolves when the call may begin, with the function to call when it has ended. */
  async acquire(key: string, tokens: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const state = this.getState(key);
    const delay = state.waiting.length > 0 ? 1 : this.delay(state, tokens);
    if (delay > maxWaitMs) throw tooLong(delay);
    if (delay > 0) await this.wait(state, tokens, signal);
    else this.admit(state, tokens);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      state.inFlight -= 1;
      this.admitWaiting(state);
      if (state.inFlight === 0 && state.waiting.length === 0 && this.keys.size > maxKeys) this.keys.delete(key);
    };
  }

  /** Stores the limits that a successful call has reported. */
  update(key: string, { requests, tokens }: Rates): void {
    const state = this.getState(key);
    state.refusals = 0;
    state.requests = this.computeBudget(requests, state.inFlight - 1) ?? state.requests;
    state.tokens = this.computeBudget(tokens, 0) ?? state.tokens;
    this.admitWaiting(state);
  }

  /** Blocks the key after a refusal for the reported time; then one call probes it alone. */
  refused(key: string, retryAfterMs: number | undefined, rates: Rates = {}): void {
    const state = this.getState(key);
    if (state.refusals === 0) state.refusedSince = this.timing.now();
    state.refusals += 1;
    const grown = Math.min(firstPauseMs * 2 ** (state.refusals - 1), maxPauseMs);
    state.blockedUntil = Math.max(state.blockedUntil, this.timing.now() + (retryAfterMs ?? grown));
    state.requests = this.computeBudget(rates.requests, 0) ?? state.requests;
    state.tokens = this.computeBudget(rates.tokens, 0) ?? state.tokens;
  }

  /** The keys whose calls wait since a refusal. */
  blocked(): [key: string, block: Block][] {
    const now = this.timing.now();
    return [...this.keys].flatMap(([key, { refusals, refusedSince, blockedUntil, waiting }]): [string, Block][] =>
      now < blockedUntil || (refusals > 0 && waiting.length > 0)
        ? [[key, { since: refusedSince, until: blockedUntil, refusals, waiting: waiting.length }]]
        : [],
    );
  }

  private getState(key: string): KeyState {
    const state = this.keys.get(key) ?? new KeyState();
    this.keys.set(key, state);
    return state;
  }

  private computeBudget({ limit, remaining, resetMs }: Allowance = {}, others: number): Budget | undefined {
    if (remaining === undefined || resetMs === undefined) return undefined;
    return { limit, remaining: Math.max(0, remaining - Math.max(0, others)), resetAt: this.timing.now() + resetMs };
  }

  /** The current wait of a call. */
  private delay(state: KeyState, tokens: number): number {
    const now = this.timing.now();
    if (now < state.blockedUntil) return state.blockedUntil - now;
    if (state.refusals > 0 && state.inFlight > 0) return 1;
    return Math.max(waitFor(state.requests, 1, now), waitFor(state.tokens, tokens, now));
  }

  private admit(state: KeyState, tokens: number): void {
    const now = this.timing.now();
    state.inFlight += 1;
    spend(state.requests, 1, now);
    spend(state.tokens, tokens, now);
  }

  private wait(state: KeyState, tokens: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const remove = (): void => {
        state.waiting.splice(state.waiting.indexOf(waiter), 1);
        signal.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        remove();
        waiter.refuse(signal.reason);
        this.admitWaiting(state);
      };
      const waiter: Waiter = {
        tokens,
        until: this.timing.now() + maxWaitMs,
        admit: () => {
          remove();
          this.admit(state, tokens);
          resolve();
        },
        refuse: (reason) => {
          if (state.waiting.includes(waiter)) remove();
          reject(reason instanceof Error ? reason : new Error(String(reason)));
        },
      };
      signal.addEventListener('abort', abort);
      state.waiting.push(waiter);
      this.admitWaiting(state);
    });
  }

  private admitWaiting(state: KeyState): void {
    state.timer?.cancel();
    state.timer = undefined;
    for (let first = state.waiting[0]; first; first = state.waiting[0]) {
      const now = this.timing.now();
      const delay = this.delay(state, first.tokens);
      if (delay === 0) {
        first.admit();
        continue;
      }
      if (now >= first.until) {
        first.refuse(tooLong(delay));
        continue;
      }
      const waitMs =
        state.refusals > 0 && now >= state.blockedUntil ? first.until - now : Math.min(delay, first.until - now);
      state.timer = this.timing.after(Math.ceil(waitMs), () => this.admitWaiting(state));
      return;
    }
  }
}

/** The wait for an amount; a budget is full again after its reset. */
function waitFor(budget: Budget | undefined, amount: number, now: number): number {
  if (!budget || now >= budget.resetAt) return 0;
  return budget.remaining >= Math.min(amount, budget.limit ?? amount) ? 0 : budget.resetAt - now;
}

function spend(budget: Budget | undefined, amount: number, now: number): void {
  if (!budget) return;
  if (now >= budget.resetAt) budget.remaining = budget.limit ?? Number.POSITIVE_INFINITY;
  budget.remaining = Math.max(0, budget.remaining - amount);
}

const tooLong = (delayMs: number): ProviderFault =>
  new ProviderFault('limited', 'the rate limit for it is used up for now', Math.ceil(delayMs));
