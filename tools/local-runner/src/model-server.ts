/** A run that the platform assigns to the runner. */
export interface Task {
  messages: readonly { role: string; text: string }[];
  model: string;
  maxOutputTokens: number;
  sampling: { temperature?: number; topP?: number; seed?: number; stop?: string[] };
  outputSchema: Record<string, unknown> | null;
}

export interface Usage {
  input: number;
  output: number;
}

export type Part = { delta: string } | { usage: Usage };

/** A local server with models. */
export interface ModelServer {
  answer(task: Task, signal: AbortSignal): AsyncIterable<Part>;
}

/** Ollama's own protocol: a line of JSON for each piece. */
export function ollama(base: string): ModelServer {
  return {
    async *answer({ messages, model, maxOutputTokens, sampling, outputSchema }, signal) {
      const body = {
        model,
        messages: messages.map(toChatMessage),
        stream: true,
        options: { num_predict: maxOutputTokens, ...toServerNames(sampling) },
        ...(outputSchema && { format: outputSchema }),
      };
      for await (const line of readLines(await ask(`${base}/api/chat`, body, signal))) {
        const piece = JSON.parse(line) as {
          error?: string;
          message?: { content?: string };
          done?: boolean;
          prompt_eval_count?: number;
          eval_count?: number;
        };
        if (piece.error !== undefined) throw new Error(`Ollama says: ${piece.error}`);
        if (piece.message?.content) yield { delta: piece.message.content };
        if (piece.done) {
          yield { usage: { input: piece.prompt_eval_count ?? 0, output: piece.eval_count ?? 0 } };
          return;
        }
      }
      throw new Error('Ollama broke off in the middle of its answer');
    },
  };
}

/** A server with the Chat Completions API; `base` ends in /v1. */
export function openAiCompatible(base: string, key?: string): ModelServer {
  return {
    async *answer({ messages, model, maxOutputTokens, sampling, outputSchema }, signal) {
      const body = {
        model,
        messages: messages.map(toChatMessage),
        max_tokens: maxOutputTokens,
        stream: true,
        stream_options: { include_usage: true },
        ...toServerNames(sampling),
        ...(outputSchema && {
          response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: outputSchema } },
        }),
      };
      for await (const line of readLines(await ask(`${base}/chat/completions`, body, signal, key))) {
        if (!line.startsWith('data:')) continue;
        const data = line.slice('data:'.length).trim();
        if (data === '[DONE]') return;
        const { choices, usage, error } = JSON.parse(data) as {
          choices?: { delta?: { content?: string | null } }[];
          usage?: { prompt_tokens: number; completion_tokens: number } | null;
          error?: { message?: string };
        };
        if (error) throw new Error(`The model server says: ${error.message ?? 'something went wrong'}`);
        const delta = choices?.[0]?.delta?.content;
        if (delta) yield { delta };
        if (usage) yield { usage: { input: usage.prompt_tokens, output: usage.completion_tokens } };
      }
      throw new Error('The model server broke off in the middle of its answer');
    },
  };
}

const toChatMessage = ({ role, text }: Task['messages'][0]) => ({ role, content: text });

const toServerNames = ({ temperature, topP, seed, stop }: Task['sampling']) => ({
  ...(temperature !== undefined && { temperature }),
  ...(topP !== undefined && { top_p: topP }),
  ...(seed !== undefined && { seed }),
  ...(stop && { stop }),
});

async function ask(url: string, body: object, signal: AbortSignal, key?: string): Promise<ReadableStream<Uint8Array>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
    signal,
  });
  if (answer.ok && answer.body) return answer.body;
  throw new Error(`The model server responded with ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim()) yield line;
  }
  rest += decoder.decode();
  if (rest.trim()) yield rest;
}
