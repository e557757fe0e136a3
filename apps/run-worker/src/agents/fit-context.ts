import { type Message, type ToolSpec, listTexts } from '@lensforge/models';
import { estimateInput } from '../engine/request-model.js';

export interface ContextParts {
  system: string;
  prompt: string;
  tools: readonly ToolSpec[];
  /** The conversation with this number of its oldest tool results in short. */
  messages: (reduced: number) => Message[];
  /** The number of tool results. */
  results: number;
  /** The results in short of the step before: they stay short. */
  reduced: number;
}

export interface FittedContext {
  messages: Message[];
  reduced: number;
  texts: readonly string[];
  tokens: number;
}

/** Tokens are estimated; this share of the window remains for the error. */
const usableShare = 0.9;
const leastInput = 0.5;

/** The tokens that a request may have, besides the longest answer. */
export function inputLimit(contextTokens: number | null, maxOutputTokens: number): number {
  const window = contextTokens ?? 32_000;
  return Math.floor(Math.max(window * usableShare - maxOutputTokens, window * leastInput));
}

/**
 * Gives the oldest tool results in short until the request fits the window of the model. The same conversation is always
 * reduced in the same way. Undefined when it does not fit even so.
 */
export function fitContext(parts: ContextParts, limit: number): FittedContext | undefined {
  const attempt = (reduced: number): FittedContext => {
    const messages = parts.messages(reduced);
    const texts = listTexts({ ...parts, messages });
    return { messages, reduced, texts, tokens: estimateInput(texts) };
  };
  let [low, high] = [Math.min(parts.reduced, parts.results), parts.results];
  const first = attempt(low);
  if (first.tokens <= limit) return first;
  let found = attempt(high);
  if (found.tokens > limit) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const tried = attempt(middle);
    if (tried.tokens <= limit) [found, high] = [tried, middle];
    else low = middle;
  }
  return found;
}
