import { createHash } from 'node:crypto';
import type { Timing } from '../engine/timing.js';
import { realTiming } from '../engine/timing.js';
import { Cooldowns } from './cooldowns.js';
import { Limiter } from './limiter.js';
import type { Provider, ProviderFaultKind } from './provider.js';

/** The providers of a process, with what it has learned of them. */
export class Providers {
  readonly limiter: Limiter;
  readonly cooldowns: Cooldowns;
  private readonly byKey: ReadonlyMap<string, Provider>;
  /** Told how each call of a provider ended. */
  heard?: (provider: string, outcome: ProviderFaultKind | 'answered') => void;

  constructor(providers: readonly Provider[], timing: Timing) {
    this.byKey = new Map(providers.map((provider) => [provider.key, provider]));
    this.limiter = new Limiter(timing);
    this.cooldowns = new Cooldowns(timing.now);
  }

  get(key: string): Provider | undefined {
    return this.byKey.get(key);
  }

  /** Those that are asked in the name of the platform. */
  get own(): string[] {
    return [...this.byKey.values()].flatMap(({ key, keyless }) => (keyless ? [] : [key]));
  }
}

export const providersByKey = (providers: readonly Provider[], timing: Timing = realTiming): Providers =>
  new Providers(providers, timing);

/** A key that a caller brings, and where it is to be used when that is an endpoint of their own. */
export interface Lent {
  apiKey: string;
  baseUrl?: string | undefined;
}

/** The account with a provider: limits are of it, whoever asks. The key itself is not kept. */
export const accountOf = (provider: string, lent: Lent | undefined): string =>
  lent === undefined
    ? provider
    : `${provider} ${createHash('sha256')
        .update(`${lent.apiKey} ${lent.baseUrl ?? ''}`)
        .digest('base64')}`;
