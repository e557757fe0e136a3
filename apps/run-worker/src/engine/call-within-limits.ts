import { type PauseReason, pauseReasons } from '@lensforge/contracts';
import { type Provider, ProviderFault } from '../providers/provider.js';
import type { Providers } from '../providers/providers.js';
import type { AnsweringModel } from './model-request.js';

/** A model that this process can call. */
export interface Candidate {
  model: AnsweringModel;
  provider: Provider;
  /** The key of its rate limits. */
  account: string;
  /** The name in the cooldowns. */
  name: string;
}

interface Call {
  /** The estimated tokens of the request. */
  tokens: number;
  signal: AbortSignal;
  /** Called right before the call; throws when it must not be made. */
  beforeCall?: (() => void) | undefined;
}

/** Calls a provider when its rate limits allow it, and records the outcome for its cooldowns. */
export async function callWithinLimits<T>(
  providers: Providers,
  { provider, account, name }: Candidate,
  { tokens, signal, beforeCall }: Call,
  call: () => Promise<T>,
): Promise<T> {
  const { limiter, cooldowns } = providers;
  cooldowns.startProbe(name);
  let release: (() => void) | undefined;
  try {
    release = await limiter.acquire(account, tokens, signal);
    beforeCall?.();
    const result = await call();
    cooldowns.succeeded(name);
    providers.onOutcome?.(provider.key, 'answered');
    return result;
  } catch (reason) {
    if (reason instanceof ProviderFault && !signal.aborted) {
      const { kind, retryAfterMs, rates } = reason;
      if (kind === 'limited' && release && !provider.limitless) limiter.refused(account, retryAfterMs, rates);
      if (isPauseReason(kind)) cooldowns.failed(name, kind, retryAfterMs);
      providers.onOutcome?.(provider.key, kind);
    }
    throw reason;
  } finally {
    cooldowns.endProbe(name);
    release?.();
  }
}

const isPauseReason = (kind: string): kind is PauseReason => pauseReasons.some((reason) => reason === kind);
