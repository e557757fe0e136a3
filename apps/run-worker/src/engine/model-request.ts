import type { FinishReason, LensSettings, Sampling } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { ChosenModel, Conversation, TokenUsage, ToolCall } from '@lensforge/models';
import type { ToolInput } from '../providers/provider.js';
import type { LensOfRequest } from './genai-spans.js';
import type { ByokAccess, Providers } from '../providers/providers.js';

export interface ModelRequestParts {
  ctx: Context;
  providers: Providers;
}

export interface ModelRequest extends Conversation {
  modelId: string;
  /** The length of the beginning of the prompt that, together with the instructions, is the same in other requests. */
  stableLength?: number;
  /** The answer must be JSON that is valid against this schema. */
  outputSchema?: Readonly<Record<string, unknown>> | null;
  /** The caller validates the answer: it is returned as text, also when it does not fit the schema. */
  unchecked?: boolean;
  sampling?: Sampling | null;
  /** The settings of the lens: the order of its models, that of the members in its schema, and what it tells single providers. */
  settings?: Omit<LensSettings, 'sampling' | 'mayOverride'> | null;
  /** The version of the lens that it comes from, for traces. */
  lens?: LensOfRequest | undefined;
  /** The BYOK key of the caller, used instead of the key of the platform. */
  byok?: ByokAccess | undefined;
  /** The models that a sponsor pays for; all when left out. */
  allowedModels?: readonly string[] | undefined;
  /** The same for every repeat of the same request. */
  idempotencyKey: string;
  /** The run whose only request this is; such a request can go to a batch service. */
  runId?: string | undefined;
  /** The cause of the run, which may say that calls are recorded, or that requests go to a batch service. */
  cause?: object | null | undefined;
}

export interface ModelAnswer {
  text: string;
  /** Set when the request has a schema, unless it is unchecked. */
  json?: { value: unknown };
  usage: TokenUsage;
  toolCalls: ToolCall[];
  /** Undefined when the provider gives none. */
  finishReason?: FinishReason | undefined;
  /** The model that answered: the requested one or a fallback. */
  model: AnsweringModel;
}

/** The model that answers. */
export type AnsweringModel = Omit<ChosenModel, 'alternatives'>;

/** The use of a request, as its provider reported it, or else estimated. */
export type Used = Pick<ModelAnswer, 'model' | 'usage'>;

export interface ModelRequestOptions {
  signal: AbortSignal;
  /** The estimated tokens of the texts, if the caller has estimated them. */
  tokens?: number;
  /** Called right before each call to a provider; throws when the call must not be made. */
  beforeCall?: () => void;
  onDelta?: (text: string) => void;
  /** Called with the arguments of tool calls while they arrive. */
  onToolInput?: (piece: ToolInput) => void;
  /** Called with the first text of an answer; `used` returns the use so far. */
  onOutput?: (used: () => Promise<Used>) => void;
  /** Called when the answer was recorded earlier. */
  onRecalled?: (recordedAt: Date) => Promise<void>;
  /** Called when a model failed and the next one is requested. */
  onFallback?: (tried: { failed: string; reason: string; next: string }) => Promise<void>;
}
