import type { PlatformRunStatus, RunStatus } from '@lensforge/contracts';
import type { ToolChoice, ToolSpec } from '@lensforge/models';
import type { OpenAiRun } from '@lensforge/runs';
import type {
  FunctionTool,
  Response,
  ResponseError,
  ResponseOutputItem,
  ResponseOutputText,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import type { AnswerResult, ResultCall, ResultUse } from './answer-result.js';
import { createdAt, restOf } from './chat-form.js';

/** The members of a request that its response repeats; stored with the run. */
export interface ResponseEcho {
  api: 'responses';
  model: string;
  background: boolean;
  instructions?: string | undefined;
  previousId?: string | undefined;
  prompt?: Response['prompt'];
  format?: NonNullable<Response['text']>['format'];
  /** The last message of the user, for a response that follows. */
  said?: string | undefined;
}

/** The object of a response as the platform sends it: `output_text` is made by the client libraries. */
export type SentResponse = Omit<Response, 'output_text'>;

const itemId = (kind: 'msg' | 'fc', runId: string, index: number): string =>
  `${kind}_${runId.replaceAll('-', '')}${index > 0 ? `_${index}` : ''}`;

const textPart = (text: string): ResponseOutputText => ({ type: 'output_text', text, annotations: [], logprobs: [] });

const messageItem = (
  runId: string,
  text: string,
  status: 'in_progress' | 'completed' | 'incomplete',
): ResponseOutputItem => ({
  id: itemId('msg', runId, 0),
  type: 'message',
  role: 'assistant',
  status,
  content: status === 'in_progress' ? [] : [textPart(text)],
});

const callItem = (
  runId: string,
  index: number,
  { id, name, arguments: given }: ResultCall,
  status: 'in_progress' | 'completed' = 'completed',
): ResponseOutputItem => ({
  id: itemId('fc', runId, index),
  type: 'function_call',
  call_id: id,
  name,
  arguments: status === 'completed' ? given : '',
  status,
});

const isCut = ({ finishReason }: AnswerResult): boolean => finishReason === 'length';

function outputOf(result: AnswerResult): ResponseOutputItem[] {
  const { runId, text, calls } = result;
  const message = messageItem(runId, text, isCut(result) ? 'incomplete' : 'completed');
  return [
    ...(text === '' && calls.length > 0 ? [] : [message]),
    ...calls.map((call, index) => callItem(runId, index, call)),
  ];
}

const toUsage = ({ input, output, cachedInput, reasoning }: ResultUse): ResponseUsage => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cachedInput, cache_write_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
});

const states: Readonly<Record<RunStatus, NonNullable<Response['status']>>> = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  timed_out: 'failed',
  canceled: 'cancelled',
};

interface State {
  status: RunStatus;
  result?: AnswerResult | undefined;
  error?: ResponseError | undefined;
}

/** The response of a run. */
export function toResponse(run: OpenAiRun, { status, result, error }: State): SentResponse {
  const { sampling, metadata, params } = run;
  const echo = run.request as unknown as ResponseEcho;
  const { tools = [], toolChoice } = params as { tools?: readonly ToolSpec[]; toolChoice?: ToolChoice };
  const cut = result !== undefined && isCut(result);
  return {
    id: run.id,
    object: 'response',
    created_at: createdAt(run.id),
    status: cut ? 'incomplete' : result ? 'completed' : states[status],
    background: echo.background,
    completed_at: result?.completedAt ? Math.floor(Date.parse(result.completedAt) / 1000) : null,
    error: error ?? null,
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    instructions: echo.instructions ?? null,
    max_output_tokens: sampling?.maxOutputTokens ?? null,
    model: echo.model,
    output: result ? outputOf(result) : [],
    parallel_tool_calls: true,
    previous_response_id: echo.previousId ?? null,
    prompt: echo.prompt ?? null,
    reasoning: { effort: sampling?.reasoningEffort ?? null, summary: null },
    service_tier: 'default',
    temperature: sampling?.temperature ?? null,
    text: { format: echo.format ?? { type: 'text' } },
    tool_choice: toToolChoice(toolChoice),
    tools: tools.map(toTool),
    top_p: sampling?.topP ?? null,
    truncation: 'disabled',
    ...(result && { usage: toUsage(result.use) }),
    metadata: toMetadata(metadata),
  };
}

const toToolChoice = (choice: ToolChoice = 'auto'): Response['tool_choice'] =>
  typeof choice === 'string' ? choice : { type: 'function', name: choice.name };

const toTool = ({ name, description, inputSchema }: ToolSpec): FunctionTool => ({
  type: 'function',
  name,
  description,
  parameters: { ...inputSchema },
  strict: false,
});

/** OpenAI has texts alone as values. */
const toMetadata = (metadata: Record<string, unknown> | null): Response['metadata'] =>
  Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

/** The error of a response, whose codes OpenAI fixes; ours stands in the message. */
export function toResponseError({ status, errorCode, errorMessage }: PlatformRunStatus): ResponseError | undefined {
  if (status !== 'failed' && status !== 'timed_out') return undefined;
  const code =
    errorCode === 'PROVIDER_LIMITED'
      ? 'rate_limit_exceeded'
      : errorCode === 'PROVIDER_REFUSED' || errorCode === 'PROVIDER_FILTERED'
        ? 'invalid_prompt'
        : 'server_error';
  return { code, message: `${errorCode ?? 'RUN_TIMED_OUT'}: ${errorMessage ?? 'The run did not end in time'}` };
}

/** Without its number, which the writer adds. */
type Unnumbered = ResponseStreamEvent extends infer Event
  ? Event extends { sequence_number: number }
    ? Omit<Event, 'sequence_number' | 'response'> &
        (Event extends { response: unknown } ? { response: SentResponse } : unknown)
    : never
  : never;

/** The events of one response in order, with their numbers; the same run always has the same ones. */
export class ResponseEvents {
  private sequence = 0;
  private text = '';
  private hasMessage = false;

  constructor(
    private readonly run: OpenAiRun,
    private readonly emit: (event: { type: string; sequence_number: number }) => void,
  ) {}

  begin(): void {
    const response = toResponse(this.run, { status: 'running' });
    this.send({ type: 'response.created', response });
    this.send({ type: 'response.in_progress', response });
  }

  add(delta: string): void {
    if (!this.hasMessage) this.beginMessage();
    this.text += delta;
    this.send({ type: 'response.output_text.delta', ...this.place(), delta, logprobs: [] });
  }

  end(result: AnswerResult): void {
    const { id: runId } = this.run;
    const rest = restOf(result.text, this.text);
    if (rest !== '') this.add(rest);
    if (!this.hasMessage && result.calls.length === 0) this.beginMessage();
    const whole = { ...result, text: this.text };
    if (this.hasMessage) this.endMessage(whole);
    for (const [index, call] of result.calls.entries()) this.addCall(runId, index, call);
    const response = toResponse(this.run, { status: 'succeeded', result: whole });
    this.send(isCut(result) ? { type: 'response.incomplete', response } : { type: 'response.completed', response });
  }

  fail(status: RunStatus, error: ResponseError | undefined): void {
    this.send({ type: 'response.failed', response: toResponse(this.run, { status, error }) });
  }

  error(code: string, message: string): void {
    this.send({ type: 'error', code, message, param: null });
  }

  private place(): { item_id: string; output_index: number; content_index: number } {
    return { item_id: itemId('msg', this.run.id, 0), output_index: 0, content_index: 0 };
  }

  private beginMessage(): void {
    this.hasMessage = true;
    const item = messageItem(this.run.id, '', 'in_progress');
    this.send({ type: 'response.output_item.added', output_index: 0, item });
    this.send({ type: 'response.content_part.added', ...this.place(), part: textPart('') });
  }

  private endMessage(result: AnswerResult): void {
    const { text } = result;
    this.send({ type: 'response.output_text.done', ...this.place(), text, logprobs: [] });
    this.send({ type: 'response.content_part.done', ...this.place(), part: textPart(text) });
    const item = messageItem(this.run.id, text, isCut(result) ? 'incomplete' : 'completed');
    this.send({ type: 'response.output_item.done', output_index: 0, item });
  }

  private addCall(runId: string, index: number, call: ResultCall): void {
    const { name, arguments: given } = call;
    const place = { item_id: itemId('fc', runId, index), output_index: index + (this.hasMessage ? 1 : 0) };
    const { output_index } = place;
    this.send({ type: 'response.output_item.added', output_index, item: callItem(runId, index, call, 'in_progress') });
    this.send({ type: 'response.function_call_arguments.delta', ...place, delta: given });
    this.send({ type: 'response.function_call_arguments.done', ...place, name, arguments: given });
    this.send({ type: 'response.output_item.done', output_index, item: callItem(runId, index, call) });
  }

  private send(event: Unnumbered): void {
    this.emit({ ...event, sequence_number: this.sequence });
    this.sequence += 1;
  }
}
