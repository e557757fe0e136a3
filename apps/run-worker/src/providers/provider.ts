import type { PromptImage } from '@lensforge/models';

export interface ProviderRequest {
  /** The provider's own name of the model. */
  model: string;
  prompt: string;
  images?: readonly PromptImage[] | undefined;
  /** The answer shall be JSON that fits. */
  outputSchema?: Readonly<Record<string, unknown>> | undefined;
  temperature?: number | undefined;
  maxOutputTokens: number;
  /** The same whenever the same work is asked for again, so that a provider can recognise a repeat. */
  idempotencyKey: string;
  /** In place of the platform's own key. */
  apiKey?: string | undefined;
  /** Where whoever brings the key wants it to be used, in place of where the platform asks. */
  baseUrl?: string | undefined;
}

export interface TokenUsage {
  input: number;
  output: number;
}

export interface ToolCall {
  id: string;
  name: string;
  input: unknown;
  /** Where the provider has called the tool itself. */
  output?: unknown;
}

/** What is left of a limit, as a provider says in its headers. */
export interface Allowance {
  limit?: number | undefined;
  remaining?: number | undefined;
  resetMs?: number | undefined;
}

export interface Rates {
  requests?: Allowance | undefined;
  tokens?: Allowance | undefined;
}

export type ProviderPart = { delta: string } | { usage: TokenUsage } | { toolCall: ToolCall } | { rates: Rates };

/** The port to whoever answers prompts. An adapter ends soon after the signal and throws nothing but ProviderFault. */
export interface Provider {
  readonly key: string;
  /** True when it answers only those who bring a key. */
  readonly keyless?: boolean;
  /** True when what it says of limits concerns nobody but who asked. */
  readonly limitless?: boolean;
  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderPart>;
}

/**
 * refused: the request itself is at fault. filtered: what it says is not let through. unauthorized: the key is at fault.
 * unpaid: its owner has run out of credit. limited and unavailable: the same request may succeed later. broken: the answer
 * made no sense, or there is no such model.
 */
export const providerFaultKinds = [
  'refused',
  'filtered',
  'unauthorized',
  'unpaid',
  'limited',
  'unavailable',
  'broken',
] as const;
export type ProviderFaultKind = (typeof providerFaultKinds)[number];

export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';

  /** @param message reaches the user: no secrets, no internals. */
  constructor(
    readonly kind: ProviderFaultKind,
    message: string,
    readonly retryAfterMs?: number,
    readonly rates?: Rates,
  ) {
    super(message);
  }
}
