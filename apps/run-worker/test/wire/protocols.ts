import { anthropicProvider } from '../../src/providers/anthropic.js';
import { googleProvider } from '../../src/providers/google.js';
import { openaiCompatibleProvider } from '../../src/providers/openai-compatible.js';
import { openaiProvider } from '../../src/providers/openai.js';
import type { Provider } from '../../src/providers/provider.js';
import type { Fetch } from '../../src/providers/access.js';

export type Trouble = 'limited' | 'unpaid' | 'unauthorized' | 'refused' | 'filtered' | 'unavailable' | 'missing';

export interface WireAnswer {
  pieces: readonly string[];
  usage?: { input: number; output: number } | undefined;
  /** The usage as the provider writes it, instead of `usage`. */
  reported?: Record<string, unknown>;
  /** Calls of tools, side by side; where the provider streams their arguments, in two pieces. */
  tools?: readonly { id: string; name: string; input: object }[];
  /** A content filter blocked the answer. */
  filtered?: boolean;
  /** The limit of tokens ended the answer. */
  cutOff?: boolean;
}

/** The wire format of a provider, as its documentation gives it. */
export interface Protocol {
  key: string;
  /** The base path of the API. */
  base: string;
  path: RegExp;
  open(access: { apiKey?: string; baseUrl: string; fetch: Fetch; fetchForUsers: Fetch }): Provider;
  /** The frames of a whole answer. */
  frames(answer: WireAnswer): string[];
  /** An error within the answer. */
  errorFrame: string;
  /** A frame that cannot be read. */
  brokenFrame: string;
  trouble(what: Trouble): { status: number; body: object };
  /** The key as the server gets it. */
  keyIn(headers: Record<string, unknown>): unknown;
}

const inTwo = (input: object): [string, string] => {
  const text = JSON.stringify(input);
  return [text.slice(0, 5), text.slice(5)];
};

const data = (value: object | string): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const named = (value: { type: string; [member: string]: unknown }): string => `event: ${value.type}\n${data(value)}`;

const openaiErrors: Protocol['trouble'] = (what) => {
  const [status, type, code] = (
    {
      limited: [429, 'requests', 'rate_limit_exceeded'],
      unpaid: [429, 'insufficient_quota', 'insufficient_quota'],
      unauthorized: [401, 'invalid_request_error', 'invalid_api_key'],
      refused: [400, 'invalid_request_error', 'invalid_value'],
      filtered: [400, 'invalid_request_error', 'content_filter'],
      unavailable: [503, 'server_error', null],
      missing: [404, 'invalid_request_error', 'model_not_found'],
    } as const
  )[what];
  return { status, body: { error: { message: messageOf(what), type, param: null, code } } };
};

/** Some providers repeat the key in their messages. */
const messageOf = (what: Trouble): string => `There is trouble: ${what}. Your key is sk-canary-0123456789abcdef.`;

const bearer: Protocol['keyIn'] = ({ authorization }) => authorization;

const openai: Protocol = {
  key: 'openai',
  base: '/v1',
  path: /^\/v1\/responses$/,
  open: openaiProvider,
  keyIn: bearer,
  trouble: openaiErrors,
  errorFrame: named({
    type: 'error',
    sequence_number: 3,
    code: 'server_error',
    message: 'The server had an error',
    param: null,
  }),
  brokenFrame: 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":\n\n',
  frames: ({ pieces, usage, reported, tools = [], filtered, cutOff }) => {
    const response = {
      id: 'resp_1',
      object: 'response',
      created_at: 1_763_700_000,
      model: 'gpt-test',
      status: 'completed',
    };
    const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] };
    const calls = tools.map(({ id, name, input }, index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    }));
    const at = (index: number) => ({ item_id: `fc_${index}`, output_index: index + 1 });
    const counted = usage && {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    };
    const spent = reported ?? counted;
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      { type: 'response.output_item.added', output_index: 0, item: message },
      ...pieces.map((delta) => ({
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta,
      })),
      { type: 'response.output_item.done', output_index: 0, item: message },
      ...calls.map((item, index) => ({
        type: 'response.output_item.added',
        output_index: index + 1,
        item: { ...item, arguments: '', status: 'in_progress' },
      })),
      ...tools.flatMap(({ input }, index) =>
        inTwo(input).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at(index), delta })),
      ),
      ...calls.map((item, index) => ({ type: 'response.output_item.done', output_index: index + 1, item })),
      filtered
        ? {
            type: 'response.incomplete',
            response: { ...response, incomplete_details: { reason: 'content_filter' }, usage: spent ?? null },
          }
        : cutOff
          ? {
              type: 'response.incomplete',
              response: { ...response, incomplete_details: { reason: 'max_output_tokens' }, usage: spent ?? null },
            }
          : { type: 'response.completed', response: { ...response, incomplete_details: null, usage: spent ?? null } },
    ].map(named);
  },
};

const compatible: Protocol = {
  key: 'openai-compatible',
  base: '/v1',
  path: /^\/v1\/chat\/completions$/,
  open: openaiCompatibleProvider,
  keyIn: bearer,
  trouble: openaiErrors,
  errorFrame: data({ error: { message: 'The server had an error', type: 'server_error', code: null } }),
  brokenFrame: 'data: {"id":"chatcmpl-1","choices":[{"delta":\n\n',
  frames: ({ pieces, usage, reported, tools = [], filtered, cutOff }) => {
    const chunk = (choices: object[], more: object = {}) =>
      data({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_763_700_000, model: 'm', choices, ...more });
    const delta = (what: object, finish: string | null = null) =>
      chunk([{ index: 0, delta: what, finish_reason: finish }]);
    const calls = tools.flatMap(({ id, name, input }, index) => {
      const [first, rest] = inTwo(input);
      return [
        { index, id, type: 'function', function: { name, arguments: first } },
        { index, function: { arguments: rest } },
      ];
    });
    const counted = usage && {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    };
    const spent = reported ?? counted;
    return [
      delta({ role: 'assistant', content: '' }),
      ...pieces.map((content) => delta({ content })),
      ...calls.map((each) => delta({ tool_calls: [each] })),
      delta({}, filtered ? 'content_filter' : cutOff ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'),
      ...(spent ? [chunk([], { usage: spent })] : []),
      data('[DONE]'),
    ];
  },
};

const anthropic: Protocol = {
  key: 'anthropic',
  base: '/v1',
  path: /^\/v1\/messages$/,
  open: anthropicProvider,
  keyIn: (headers) => headers['x-api-key'],
  trouble: (what) => {
    const [status, type, message] = (
      {
        limited: [429, 'rate_limit_error', messageOf(what)],
        unpaid: [400, 'invalid_request_error', 'Your credit balance is too low to access the API.'],
        unauthorized: [401, 'authentication_error', messageOf(what)],
        refused: [400, 'invalid_request_error', messageOf(what)],
        filtered: [400, 'content_policy_violation', messageOf(what)],
        unavailable: [529, 'overloaded_error', 'Overloaded'],
        missing: [404, 'not_found_error', messageOf(what)],
      } as const
    )[what];
    return { status, body: { type: 'error', error: { type, message } } };
  },
  errorFrame: named({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  brokenFrame: 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":\n\n',
  frames: ({ pieces, usage, reported, tools = [], filtered, cutOff }) => {
    const block = (index: number, start: object, deltas: object[]) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-test', content: [] };
    return [
      {
        type: 'message_start',
        message: {
          ...message,
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: usage?.input ?? 0, ...reported, output_tokens: 1 },
        },
      },
      { type: 'ping' },
      ...block(
        0,
        { type: 'text', text: '' },
        pieces.map((text) => ({ type: 'text_delta', text })),
      ),
      ...tools.flatMap(({ id, name, input }, index) =>
        block(
          index + 1,
          { type: 'tool_use', id, name, input: {} },
          inTwo(input).map((text) => ({ type: 'input_json_delta', partial_json: text })),
        ),
      ),
      {
        type: 'message_delta',
        delta: {
          stop_reason: filtered ? 'refusal' : cutOff ? 'max_tokens' : tools.length > 0 ? 'tool_use' : 'end_turn',
          stop_sequence: null,
        },
        usage: { output_tokens: usage?.output ?? 0, ...reported },
      },
      { type: 'message_stop' },
    ].map(named);
  },
};

const google: Protocol = {
  key: 'google',
  base: '/v1beta',
  path: /^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/,
  open: googleProvider,
  keyIn: (headers) => headers['x-goog-api-key'],
  trouble: (what) => {
    const [code, status] = (
      {
        limited: [429, 'RESOURCE_EXHAUSTED'],
        unpaid: [402, 'FAILED_PRECONDITION'],
        unauthorized: [403, 'PERMISSION_DENIED'],
        refused: [400, 'INVALID_ARGUMENT'],
        filtered: [400, 'SAFETY'],
        unavailable: [503, 'UNAVAILABLE'],
        missing: [404, 'NOT_FOUND'],
      } as const
    )[what];
    const details =
      what === 'limited' ? [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }] : [];
    return { status: code, body: { error: { code, message: messageOf(what), status, details } } };
  },
  errorFrame: data({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
  brokenFrame: 'data: {"candidates":[{"content":\n\n',
  frames: ({ pieces, usage, reported, tools = [], filtered, cutOff }) => {
    const chunk = (parts: object[], more: object = {}) => ({
      candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
      modelVersion: 'gemini-test',
      responseId: 'r1',
    });
    const counted = usage && {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    };
    const spent = reported ?? counted;
    const calls = tools.map(({ id, name, input: args }) => ({ functionCall: { id, name, args } }));
    return [
      ...pieces.map((text) => chunk([{ text }])),
      {
        ...chunk(calls.length > 0 ? calls : [{ text: '' }], {
          finishReason: filtered ? 'SAFETY' : cutOff ? 'MAX_TOKENS' : 'STOP',
        }),
        ...(spent && { usageMetadata: spent }),
      },
    ].map(data);
  },
};

export const protocols: readonly Protocol[] = [openai, compatible, anthropic, google];
