import { type FinishReason, isTooDeep, maxJsonDepth } from '@lensforge/contracts';
import type { TokenUsage, ToolCall } from '@lensforge/models';
import type { ProviderPart } from '../providers/provider.js';
import type { ModelRequestOptions } from './model-request.js';
import { RunFailure } from './run-failure.js';
import { StopTexts } from './stop-texts.js';

const maxCharacters = 2_000_000;

export interface StreamHandlers {
  signal: AbortSignal;
  onDelta: ModelRequestOptions['onDelta'];
  onToolInput: ModelRequestOptions['onToolInput'];
  /** Returns true when the part only reports limits. */
  updateLimits: (part: ProviderPart) => boolean;
  stop: readonly string[];
}

/** An answer as far as it has arrived. */
export interface ReadAnswer {
  text: string;
  usage: TokenUsage | undefined;
  toolCalls: ToolCall[];
  finishReason?: FinishReason;
}

/** Adds what arrives to `read`. */
export async function readStream(
  parts: AsyncIterable<ProviderPart>,
  read: ReadAnswer,
  { signal, onDelta, onToolInput, updateLimits, stop }: StreamHandlers,
): Promise<ReadAnswer> {
  const storable = storableText();
  const stops = new StopTexts(stop);
  const add = (delta: string): void => {
    read.text += delta;
    if (delta !== '') onDelta?.(delta);
  };
  for await (const part of parts) {
    if (signal.aborted) break;
    if (updateLimits(part)) continue;
    if ('usage' in part) read.usage = part.usage;
    if ('finishReason' in part) read.finishReason = part.finishReason;
    if ('toolInput' in part) onToolInput?.(part.toolInput);
    if ('toolCall' in part && read.toolCalls.length < maxToolCalls) read.toolCalls.push(withoutDeepJson(part.toolCall));
    if (!('delta' in part)) continue;
    add(stops.add(storable(part.delta)));
    if (stops.isEnded) {
      read.finishReason = 'stop';
      break;
    }
    if (read.text.length > maxCharacters)
      throw new RunFailure('OUTPUT_TOO_LARGE', `The answer is longer than ${maxCharacters} characters`);
  }
  signal.throwIfAborted();
  add(stops.end());
  return read;
}

const maxToolCalls = 100;

/** Input and output are stored and sent as JSON, which has a limit of levels. */
const withoutDeepJson = ({ input, output, ...call }: ToolCall): ToolCall => ({
  ...call,
  input: isTooDeep(input) ? tooDeep : input,
  ...(output !== undefined && { output: isTooDeep(output) ? tooDeep : output }),
});

const tooDeep = `[JSON that is nested deeper than ${maxJsonDepth} levels, left out]`;

/** Removes NUL and lone surrogates, which PostgreSQL cannot store; a surrogate pair may arrive in two pieces. */
function storableText(): (piece: string) => string {
  let half = '';
  return (piece) => {
    let text = half + piece;
    half = halfPair.exec(text)?.[0] ?? '';
    if (half) text = text.slice(0, -1);
    return text.toWellFormed().replaceAll('\0', '\uFFFD');
  };
}

const halfPair = /[\uD800-\uDBFF]$/;
