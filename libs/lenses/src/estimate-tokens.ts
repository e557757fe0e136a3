import { LRUCache } from 'lru-cache';
import type { ParsedTemplate } from './template.js';

type CountTokens = (text: string) => number;

let tokenizer: Promise<CountTokens> | undefined;

const pieceLength = 2000;
const maxCounted = 200_000;

/** Estimates the tokens of a text; a long text is extrapolated from its beginning. */
export async function estimateTokens(text: string): Promise<number> {
  return estimate(await (tokenizer ??= loadTokenizer()), text, maxCounted);
}

const maxExact = 2000;
const samples = 8;
const bytesPerToken = 4;

/** The tokens of texts by estimateMaxTokens: each step of an agent sends what the steps before it have sent. */
const counted = new LRUCache<string, number>({ maxSize: 2_000_000, sizeCalculation: (_, { length }) => length + 1 });

/**
 * Estimates the tokens of a request in bounded time, rather too many than too few, for the credits to hold: a long text by
 * samples over its whole length, and no text below a token for four bytes.
 */
export async function estimateMaxTokens(text: string): Promise<number> {
  const known = counted.get(text);
  if (known !== undefined) return known;
  const count = await (tokenizer ??= loadTokenizer());
  const tokens = Math.max(sampleTokens(count, text), Math.ceil(Buffer.byteLength(text) / bytesPerToken));
  counted.set(text, tokens);
  return tokens;
}

function sampleTokens(count: CountTokens, text: string): number {
  if (text.length <= maxExact) return count(text);
  const length = maxExact / samples;
  const step = (text.length - length) / (samples - 1);
  let tokens = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const at = Math.floor(sample * step);
    tokens += count(text.slice(at, at + length));
  }
  return Math.ceil((tokens * text.length) / maxExact);
}

/**
 * Estimates the tokens of a filled template. The text of a template is counted once for all prompts, and each value once
 * per prompt. The estimate is one off where text and value share a token.
 */
export async function estimateFilled(template: ParsedTemplate, parts: readonly string[]): Promise<number> {
  const count = await (tokenizer ??= loadTokenizer());
  let tokens = template.textTokens((parsed) =>
    listTexts(parsed).reduce((sum, text) => sum + estimate(count, text, maxCounted), 0),
  );
  const values = countEach(listValues(template, parts));
  const length = [...values.keys()].reduce((sum, value) => sum + value.length, 0);
  const share = Math.min(1, maxCounted / length);
  for (const [value, times] of values) tokens += times * estimate(count, value, Math.ceil(value.length * share));
  return tokens;
}

/** A word and the blank before it are one token, so the blank before a value is counted with the value. */
const listTexts = ({ pieces }: ParsedTemplate): string[] =>
  pieces.flatMap((piece, at) =>
    typeof piece === 'string' ? [at + 1 < pieces.length && piece.endsWith(' ') ? piece.slice(0, -1) : piece] : [],
  );

const listValues = ({ pieces }: ParsedTemplate, parts: readonly string[]): string[] =>
  pieces.flatMap((piece, at) => {
    if (typeof piece === 'string') return [];
    const before = pieces[at - 1];
    return [`${typeof before === 'string' && before.endsWith(' ') ? ' ' : ''}${parts[at] ?? ''}`];
  });

function countEach(values: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  return times;
}

function estimate(count: CountTokens, text: string, limit: number): number {
  const length = Math.min(text.length, limit);
  let tokens = 0;
  // The tokenizer takes quadratic time on a long word, so it gets short pieces.
  for (let at = 0; at < length; at += pieceLength) tokens += count(text.slice(at, Math.min(at + pieceLength, length)));
  return text.length > length ? Math.round((tokens * text.length) / length) : tokens;
}

/** The vocabulary takes 60 MB and a quarter of a second to load, so it is loaded on first use. */
async function loadTokenizer(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  return (text) => countTokens(text, { allowedSpecial: 'all' });
}
