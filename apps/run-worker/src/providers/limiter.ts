import type { Timing } from '../engine/timing.js';
import type { Allowance, Rates } from './provider.js';
import { ProviderFault } from './provider.js';

/** A call is held back so long at most; a run that would wait longer gives its place to another. */
const mostHoldMs = 10_000;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
const mostKeys = 10_000;

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

/** What is known of one key of one provider. */
class Gate {
  requests: Budget | undefined;
  tokens: Budget | undefined;
  blockedUntil = 0;
  /** Refusals since the last call that was let through. */
  refusals = 0;
  inFlight = 0;
  timer: { cancel: () => void } | undefined;
  readonly waiting: Waiter[] = [];
}

/**
 * Holds calls back before they are refused: learns from what a provider says of its limits, and from its refusals. First
 * come, first served; each key by itself; in this process only.
 */
export class Limiter {
  private readonly gates = new Map<string, Gate>();

  constructor(private readonly timing: Timing) {}

  /** Settles when the call may begin; to be given back when it has ended. */
  async enter(key: string, tokens: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const gate = this.gateOf(key);
    const delay = gate.waiting.length > 0 ? 1 : this.delay(gate, tokens);
    if (delay > mostHoldMs) throw tooLong(delay);
    if (delay > 0) await this.wait(gate, tokens, signal);
    else this.take(gate, tokens);
    let given = true;
    return () => {
      if (!given) return;
      given = false;
      gate.inFlight -= 1;
      this.pump(gate);
      if (gate.inFlight === 0 && gate.waiting.length === 0 && this.gates.size > mostKeys) this.gates.delete(key);
    };
  }

  /** What a call that was let through says of the limits. */
  learn(key: string, { requests, tokens }: Rates): void {
    const gate = this.gateOf(key);
    gate.refusals = 0;
    gate.requests = this.budgetOf(requests, gate.inFlight - 1) ?? gate.requests;
    gate.tokens = this.budgetOf(tokens, 0) ?? gate.tokens;
    this.pump(gate);
  }

  /** A call was refused: nobody tries before the time that was said, and then one alone. */
  refused(key: string, retryAfterMs: number | undefined, rates: Rates = {}): void {
    const gate = this.gateOf(key);
    gate.refusals += 1;
    const grown = Math.min(firstPauseMs * 2 ** (gate.refusals - 1), longestPauseMs);
    gate.blockedUntil = Math.max(gate.blockedUntil, this.timing.now() + (retryAfterMs ?? grown));
    gate.requests = this.budgetOf(rates.requests, 0) ?? gate.requests;
    gate.tokens = this.budgetOf(rates.tokens, 0) ?? gate.tokens;
  }

  private gateOf(key: string): Gate {
    const gate = this.gates.get(key) ?? new Gate();
    this.gates.set(key, gate);
    return gate;
  }

  private budgetOf({ limit, remaining, resetMs }: Allowance = {}, others: number): Budget | undefined {
    if (remaining === undefined || resetMs === undefined) return undefined;
    return { limit, remaining: Math.max(0, remaining - Math.max(0, others)), resetAt: this.timing.now() + resetMs };
  }

  /** How long a call has to wait as things are. */
  private delay(gate: Gate, tokens: number): number {
    const now = this.timing.now();
    if (now < gate.blockedUntil) return gate.blockedUntil - now;
    if (gate.refusals > 0 && gate.inFlight > 0) return 1;
    return Math.max(waitFor(gate.requests, 1, now), waitFor(gate.tokens, tokens, now));
  }

  private take(gate: Gate, tokens: number): void {
    const now = this.timing.now();
    gate.inFlight += 1;
    spend(gate.requests, 1, now);
    spend(gate.tokens, tokens, now);
  }

  private wait(gate: Gate, tokens: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        gate.waiting.splice(gate.waiting.indexOf(waiter), 1);
        signal.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        leave();
        waiter.refuse(signal.reason);
        this.pump(gate);
      };
      const waiter: Waiter = {
        tokens,
        until: this.timing.now() + mostHoldMs,
        admit: () => {
          leave();
          this.take(gate, tokens);
          resolve();
        },
        refuse: (reason) => {
          if (gate.waiting.includes(waiter)) leave();
          reject(reason instanceof Error ? reason : new Error(String(reason)));
        },
      };
      signal.addEventListener('abort', abort);
      gate.waiting.push(waiter);
      this.pump(gate);
    });
  }

  private pump(gate: Gate): void {
    gate.timer?.cancel();
    gate.timer = undefined;
    for (let first = gate.waiting[0]; first; first = gate.waiting[0]) {
      const now = this.timing.now();
      const delay = this.delay(gate, first.tokens);
      if (delay === 0) {
        first.admit();
        continue;
      }
      if (now >= first.until) {
        first.refuse(tooLong(delay));
        continue;
      }
      const untilThen =
        gate.refusals > 0 && now >= gate.blockedUntil ? first.until - now : Math.min(delay, first.until - now);
      gate.timer = this.timing.after(Math.ceil(untilThen), () => this.pump(gate));
      return;
    }
  }
}

/** A budget whose time is over is full again, however much that is. */
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
