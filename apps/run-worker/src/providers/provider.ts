export interface ProviderRequest {
  /** The provider's own name of the model. */
  model: string;
  prompt: string;
  maxOutputTokens: number;
  /** The same whenever the same work is asked for again, so that a provider can recognise a repeat. */
  idempotencyKey: string;
}

export interface TokenUsage {
  input: number;
  output: number;
}

export type ProviderPart = { delta: string } | { usage: TokenUsage };

/** The port to whoever answers prompts. An adapter ends soon after the signal and throws nothing but ProviderFault. */
export interface Provider {
  readonly key: string;
  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderPart>;
}

/**
 * refused: the request itself is at fault. unauthorized: the key is. limited and unavailable: the same request may
 * succeed later. broken: the answer made no sense.
 */
export const providerFaultKinds = ['refused', 'unauthorized', 'limited', 'unavailable', 'broken'] as const;
export type ProviderFaultKind = (typeof providerFaultKinds)[number];

export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';

  /** @param message reaches the user: no secrets, no internals. */
  constructor(
    readonly kind: ProviderFaultKind,
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

export type Providers = ReadonlyMap<string, Provider>;

export const providersByKey = (providers: readonly Provider[]): Providers =>
  new Map(providers.map((provider) => [provider.key, provider]));
