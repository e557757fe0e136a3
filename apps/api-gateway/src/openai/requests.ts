import {
  type FundingSource,
  InvalidInput,
  RunOptions,
  type Shape,
  decimal,
  faultInJson,
  flag,
  fundingSources,
  integer,
  isRecord,
  json,
  list,
  nested,
  oneOf,
  parse,
  record,
  text,
  textKind,
} from '@lensforge/contracts';

const efforts = ['low', 'medium', 'high'] as const;
export type Effort = (typeof efforts)[number];

/** The member `lensforge` of a request: what the platform knows beyond OpenAI. */
export class PlatformOptions extends RunOptions {
  @record({ optional: true })
  params?: Record<string, unknown>;

  @text({ min: 1, max: 200, optional: true })
  modelOverride?: string;

  @oneOf(fundingSources, { optional: true })
  fundingSource?: FundingSource;

  @text({ min: 1, max: 100, optional: true })
  byokKeyRefId?: string;
}

class StreamOptions {
  @flag({ optional: true })
  include_usage?: boolean;

  /** Accepted without effect. */
  @flag({ optional: true })
  include_obfuscation?: boolean;
}

/** A stored prompt: a lens, its version or label, and its parameters. */
export class PromptReference {
  @text({ min: 1, max: 300 })
  id!: string;

  @text({ min: 1, max: 100, optional: true })
  version?: string;

  @record({ optional: true })
  variables?: Record<string, unknown>;
}

/** Members that chat completions and responses have in common. */
class AnswerRequest {
  @flag({ optional: true })
  stream?: boolean;

  @decimal({ min: 0, max: 2, optional: true })
  temperature?: number;

  @decimal({ min: 0, max: 1, optional: true })
  top_p?: number;

  @json({ optional: true })
  tools?: unknown;

  @json({ optional: true })
  tool_choice?: unknown;

  @record({ optional: true })
  metadata?: Record<string, unknown>;

  @nested(() => StreamOptions, { optional: true })
  stream_options?: StreamOptions;

  @nested(() => PlatformOptions, { optional: true })
  lensforge?: PlatformOptions;

  /** Decides which arm of a label answers. */
  @text({ min: 1, max: 255, optional: true })
  user?: string;

  @text({ min: 1, max: 255, optional: true })
  safety_identifier?: string;

  /** These have no effect: runs are stored always, and the platform chooses caches and tiers itself. */
  @flag({ optional: true })
  store?: boolean;

  @flag({ optional: true })
  parallel_tool_calls?: boolean;

  @text({ max: 100, optional: true })
  service_tier?: string;

  @text({ max: 1000, optional: true })
  prompt_cache_key?: string;

  @text({ max: 100, optional: true })
  prompt_cache_retention?: string;

  /** Only without log probabilities. */
  @integer({ min: 0, max: 0, optional: true })
  top_logprobs?: number;
}

export class ChatRequest extends AnswerRequest {
  @text({ min: 1, max: 300 })
  model!: string;

  @json()
  messages!: unknown;

  @integer({ min: 1, max: 8, optional: true })
  n?: number;

  @integer({ min: 0, optional: true })
  seed?: number;

  @json({ optional: true })
  stop?: unknown;

  @integer({ min: 1, max: 1_000_000, optional: true })
  max_tokens?: number;

  @integer({ min: 1, max: 1_000_000, optional: true })
  max_completion_tokens?: number;

  @json({ optional: true })
  response_format?: unknown;

  @oneOf(efforts, { optional: true })
  reasoning_effort?: Effort;

  @oneOf(['low', 'medium', 'high'], { optional: true })
  verbosity?: string;

  @list(textKind({ max: 20 }), { max: 1, optional: true })
  modalities?: string[];

  @decimal({ min: -2, max: 2, optional: true })
  frequency_penalty?: number;

  @decimal({ min: -2, max: 2, optional: true })
  presence_penalty?: number;

  @json({ optional: true })
  logit_bias?: unknown;

  @json({ optional: true })
  logprobs?: unknown;
}

class Reasoning {
  @oneOf(efforts, { optional: true })
  effort?: Effort;

  @json({ optional: true })
  summary?: unknown;
}

class TextSettings {
  @json({ optional: true })
  format?: unknown;

  @oneOf(['low', 'medium', 'high'], { optional: true })
  verbosity?: string;
}

export class ResponseRequest extends AnswerRequest {
  @text({ min: 1, max: 300, optional: true })
  model?: string;

  @nested(() => PromptReference, { optional: true })
  prompt?: PromptReference;

  @json({ optional: true })
  input?: unknown;

  @text({ max: 1_000_000, optional: true })
  instructions?: string;

  @text({ min: 1, max: 100, optional: true })
  previous_response_id?: string;

  @flag({ optional: true })
  background?: boolean;

  @integer({ min: 1, max: 1_000_000, optional: true })
  max_output_tokens?: number;

  @nested(() => Reasoning, { optional: true })
  reasoning?: Reasoning;

  @nested(() => TextSettings, { optional: true })
  text?: TextSettings;

  @oneOf(['auto', 'disabled'], { optional: true })
  truncation?: string;

  @json({ optional: true })
  include?: unknown;

  @integer({ min: 1, max: 1000, optional: true })
  max_tool_calls?: number;
}

export class EmbeddingsRequest {
  @text({ min: 1, max: 300 })
  model!: string;

  @json()
  input!: unknown;

  @integer({ min: 1, max: 4096, optional: true })
  dimensions?: number;

  @oneOf(['float', 'base64'], { optional: true })
  encoding_format?: 'float' | 'base64';

  @text({ min: 1, max: 255, optional: true })
  user?: string;

  @nested(() => PlatformOptions, { optional: true })
  lensforge?: PlatformOptions;
}

/** Reads a body by a shape. Clients send null for what they leave out. */
export function readRequest<T extends object>(shape: Shape<T>, body: unknown): T {
  const fault = faultInJson(body);
  if (fault) throw new InvalidInput([fault]);
  if (!isRecord(body)) throw new InvalidInput([{ path: '', message: 'must be a JSON object' }]);
  return parse(shape, withoutNulls(body));
}

const withoutNulls = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
      if (value === null) return [];
      return [[name, nestedNames.includes(name) && isRecord(value) ? withoutNulls(value) : value]];
    }),
  );

const nestedNames: readonly string[] = ['stream_options', 'reasoning', 'text', 'prompt', 'lensforge'];

/** The error for a member of the request by its name at OpenAI. */
export const refuse = (path: string, message: string): InvalidInput => new InvalidInput([{ path, message }]);
