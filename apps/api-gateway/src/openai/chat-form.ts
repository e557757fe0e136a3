import type { ChatCompletion, ChatCompletionChunk, ChatCompletionMessage } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { AnswerResult, ResultCall } from './answer-result.js';

export interface ChatHead {
  id: string;
  created: number;
  model: string;
}

/** The time of an id in seconds; ids begin with it. */
export const createdAt = (runId: string): number =>
  Math.floor(Number.parseInt(runId.replaceAll('-', '').slice(0, 12), 16) / 1000);

/** The part of a text that is not sent yet; JSON may be written in another way than it was sent. */
export const restOf = (text: string, sent: string): string => (text.startsWith(sent) ? text.slice(sent.length) : '');

const toCall = ({ id, name, arguments: given }: ResultCall) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: given },
});

const toMessage = ({ text, calls }: AnswerResult): ChatCompletionMessage => ({
  role: 'assistant',
  content: text === '' && calls.length > 0 ? null : text,
  refusal: null,
  annotations: [],
  ...(calls.length > 0 && { tool_calls: calls.map(toCall) }),
});

export const toUsage = (results: readonly AnswerResult[]): CompletionUsage => {
  const sum = (of: (use: AnswerResult['use']) => number): number =>
    results.reduce((total, { use }) => total + of(use), 0);
  const prompt = sum(({ input }) => input);
  const completion = sum(({ output }) => output);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: sum(({ cachedInput }) => cachedInput), audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: sum(({ reasoning }) => reasoning),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
};

export const toCompletion = (head: ChatHead, results: readonly AnswerResult[]): ChatCompletion => ({
  ...head,
  object: 'chat.completion',
  choices: results.map((result, index) => ({
    index,
    message: toMessage(result),
    logprobs: null,
    finish_reason: result.finishReason,
  })),
  usage: toUsage(results),
});

type Choice = ChatCompletionChunk['choices'][number];

/** The chunks of one stream; with usage, each has the member, and the last one the numbers. */
export class ChatChunks {
  constructor(
    private readonly head: ChatHead,
    private readonly withUsage: boolean,
  ) {}

  begin(index: number): ChatCompletionChunk {
    return this.chunk({ index, delta: { role: 'assistant', content: '', refusal: null }, finish_reason: null });
  }

  text(index: number, content: string): ChatCompletionChunk {
    return this.chunk({ index, delta: { content }, finish_reason: null });
  }

  calls(index: number, calls: readonly ResultCall[]): ChatCompletionChunk {
    const delta = { tool_calls: calls.map((call, at) => ({ index: at, ...toCall(call) })) };
    return this.chunk({ index, delta, finish_reason: null });
  }

  end(index: number, { finishReason }: AnswerResult): ChatCompletionChunk {
    return this.chunk({ index, delta: {}, finish_reason: finishReason });
  }

  usage(results: readonly AnswerResult[]): ChatCompletionChunk {
    return { ...this.head, object: 'chat.completion.chunk', choices: [], usage: toUsage(results) };
  }

  private chunk(choice: Choice): ChatCompletionChunk {
    return {
      ...this.head,
      object: 'chat.completion.chunk',
      choices: [{ ...choice, logprobs: null }],
      ...(this.withUsage && { usage: null }),
    };
  }
}
