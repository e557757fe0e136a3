import { createHash } from 'node:crypto';
import { type Timing, realTiming } from '../engine/timing.js';
import { Cooldowns } from './cooldowns.js';
import { Limiter } from './limiter.js';
import { PromptPrefixes } from './prompt-prefixes.js';
import type { Provider, ProviderFaultKind } from './provider.js';

/** The providers of a process with their rate limits and cooldowns. */
export class Providers {
  readonly limiter: Limiter;
  readonly cooldowns: Cooldowns;
  readonly prefixes: PromptPrefixes;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  private readonly byKey: ReadonlyMap<string, Provider>;
  /** Called with the outcome of each call. */
  onOutcome?: (provider: string, outcome: ProviderFaultKind | 'answered') => void;

  constructor(providers: readonly Provider[], timing: Timing) {
    this.byKey = new Map(providers.map((provider) => [provider.key, provider]));
    this.limiter = new Limiter(timing);
    this.now = timing.now;
    this.cooldowns = new Cooldowns(timing.now);
    this.prefixes = new PromptPrefixes(timing.now);
  }

  get(key: string): Provider | undefined {
    return this.byKey.get(key);
  }

  /** The keys of the providers that the platform has a key for. */
  get platformKeys(): string[] {
    return [...this.byKey.values()].flatMap(({ key, keyless }) => (keyless ? [] : [key]));
  }
}

export const providersByKey = (providers: readonly Provider[], timing: Timing = realTiming): Providers =>
  new Providers(providers, timing);

/** A BYOK key, with the base URL when it belongs to an endpoint of the user. */
export interface ByokAccess {
  apiKey: string;
  baseUrl?: string | undefined;
}

/** Identifies the provider account that rate limits belong to; it contains a hash instead of the BYOK key. */
export const rateLimitKey = (provider: string, byok: ByokAccess | undefined): string =>
  byok === undefined
    ? provider
    : `${provider}#${createHash('sha256')
        .update(`${byok.apiKey} ${byok.baseUrl ?? ''}`)
        .digest('base64')}`;

/** The name of a model in the cooldowns. */
export const cooldownName = (account: string, model: string): string => `${account} ${model}`;

/** The parts of a cooldown name or a rate limit key, which has no model. */
export function partsOfName(name: string): { account: string; provider: string; byok: boolean; model: string | null } {
  const [account = name, ...model] = name.split(' ');
  const [provider = account, ...hash] = account.split('#');
  return { account, provider, byok: hash.length > 0, model: model.length > 0 ? model.join(' ') : null };
}
