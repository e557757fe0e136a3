import type { FinishReason, LensSettings, Sampling } from '@lensforge/contracts';
import type { Conversation, TokenUsage, ToolCall } from '@lensforge/models';

export type ProviderSettings = NonNullable<LensSettings['providers']>;

/** The beginning of a prompt that other requests have, too. */
export interface PromptPrefix {
  /** The characters of the prompt in it; the instructions above are part of it. */
  length: number;
  /** The same for the same beginning. */
  key: string;
  /** The provider got it a short time ago, so that writing it to a cache pays. */
  isRepeated: boolean;
}

export interface ProviderRequest extends Conversation {
  /** The name of the model at the provider. */
  model: string;
  prefix?: PromptPrefix | undefined;
  /** The answer must be JSON that is valid against this schema. */
  outputSchema?: Readonly<Record<string, unknown>> | undefined;
  sampling?: Omit<Sampling, 'maxOutputTokens'> | undefined;
  /** The settings of a lens for single providers. */
  settings?: ProviderSettings | undefined;
  maxOutputTokens: number;
  /** The same for every repeat, so that a provider can recognise it. */
  idempotencyKey: string;
  /** Used instead of the key of the platform. */
  apiKey?: string | undefined;
  /** The base URL of the BYOK key, used instead of the one of the platform. */
  baseUrl?: string | undefined;
}

/** A limit and its remainder, as a provider reports them in headers. */
export interface Allowance {
  limit?: number | undefined;
  remaining?: number | undefined;
  resetMs?: number | undefined;
}

export interface Rates {
  requests?: Allowance | undefined;
  tokens?: Allowance | undefined;
}

/** A piece of the arguments of a tool call, which follows as a whole. */
export interface ToolInput {
  id: string;
  name: string;
  text: string;
}

export type ProviderPart =
  | { delta: string }
  | { usage: TokenUsage }
  | { toolInput: ToolInput }
  | { toolCall: ToolCall }
  | { finishReason: FinishReason }
  | { rates: Rates };

/** The state of a batch, as its service tells it. */
export type BatchProgress = 'working' | 'ended';

/** The outcome of a request in a batch: the body of its answer, or why it has none. */
export type BatchOutcome = { customId: string } & ({ answer: unknown } | { error: string });

/** A batch as the platform has recorded it before sending it. */
export interface BatchOrder {
  /** The id of the platform, by which the batch is found again. */
  id: string;
  model: string;
  /** The bodies of its requests by their custom ids. */
  requests: readonly { customId: string; body: unknown }[];
  /** The number of requests when it was put together. */
  size: number;
  createdAt: Date;
}

export type BatchAccess = Pick<ProviderRequest, 'apiKey' | 'baseUrl'>;

/** The batch service of a provider. Its methods throw only ProviderFault. */
export interface BatchService {
  /** The body of a request within a batch. */
  compose(request: ProviderRequest): Promise<unknown>;
  /** Reads the body of an answer. */
  read(request: ProviderRequest, answer: unknown): AsyncIterable<ProviderPart>;
  /** Sends a batch and returns its name at the provider. */
  submit(access: BatchAccess, order: BatchOrder): Promise<string>;
  /** The name of a batch whose sending had an unknown outcome; `later` while that cannot be told. */
  find(access: BatchAccess, order: BatchOrder): Promise<{ name: string } | 'missing' | 'later'>;
  look(access: BatchAccess, name: string): Promise<BatchProgress>;
  /** The outcomes of a batch that has ended. */
  outcomes(access: BatchAccess, name: string): AsyncIterable<BatchOutcome>;
  cancel(access: BatchAccess, name: string): Promise<void>;
}

/** Texts of which a model makes vectors. */
export interface EmbeddingRequest extends BatchAccess {
  /** The name of the model at the provider. */
  model: string;
  texts: readonly string[];
  /** The length of the vectors; that of the model when absent. */
  dimensions?: number | undefined;
  idempotencyKey: string;
}

export interface Embeddings {
  /** One for each text, in the same order. */
  vectors: readonly (readonly number[])[];
  /** Undefined when the provider reports none. */
  tokens: number | undefined;
  rates?: Rates | undefined;
}

/** The port for providers. An adapter ends soon after the signal aborts and throws only ProviderFault. */
export interface Provider {
  readonly key: string;
  /** True when the platform has no key for it, so that it needs a BYOK key. */
  readonly keyless?: boolean;
  /** True when a reported limit applies only to that call. */
  readonly limitless?: boolean;
  readonly batches?: BatchService;
  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderPart>;
  /** Absent without models that make embeddings. Throws only ProviderFault. */
  embed?(request: EmbeddingRequest, signal: AbortSignal): Promise<Embeddings>;
}

/**
 * refused: the request is invalid. filtered: a content filter blocked it. unauthorized: the key is invalid. unpaid: the owner
 * of the key has no credit left. limited and unavailable: a retry may succeed. broken: the answer is unreadable, or the model
 * does not exist.
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
