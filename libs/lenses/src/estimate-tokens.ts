import type { ReadTemplate } from './template.js';

type CountTokens = (text: string) => number;

let counting: Promise<CountTokens> | undefined;

const pieceLength = 2000;
const mostCounted = 200_000;

/** About how many tokens a model reads; of a long text the rest is taken to be like its beginning. */
export async function estimateTokens(text: string): Promise<number> {
  return estimate(await (counting ??= loadTokenizer()), text, mostCounted);
}

const ofTexts = new WeakMap<ReadTemplate, number>();

/**
 * The same of a prompt in its pieces: the text of a template is counted once for all its prompts, and a value once for
 * all its places. Where text and value make one token together, it is one off.
 */
export async function estimateFilled(template: ReadTemplate, parts: readonly string[]): Promise<number> {
  const count = await (counting ??= loadTokenizer());
  let tokens = ofTexts.get(template);
  if (tokens === undefined) {
    tokens = textsOf(template).reduce((sum, text) => sum + estimate(count, text, mostCounted), 0);
    ofTexts.set(template, tokens);
  }
  const values = timesOf(valuesOf(template, parts));
  const length = [...values.keys()].reduce((sum, value) => sum + value.length, 0);
  const share = Math.min(1, mostCounted / length);
  for (const [value, times] of values) tokens += times * estimate(count, value, Math.ceil(value.length * share));
  return tokens;
}

/** A word is one token with the blank before it, so the blank before a value goes with the value. */
const textsOf = ({ pieces }: ReadTemplate): string[] =>
  pieces.flatMap((piece, at) =>
    typeof piece === 'string' ? [at + 1 < pieces.length && piece.endsWith(' ') ? piece.slice(0, -1) : piece] : [],
  );

const valuesOf = ({ pieces }: ReadTemplate, parts: readonly string[]): string[] =>
  pieces.flatMap((piece, at) => {
    if (typeof piece === 'string') return [];
    const before = pieces[at - 1];
    return [`${typeof before === 'string' && before.endsWith(' ') ? ' ' : ''}${parts[at] ?? ''}`];
  });

function timesOf(values: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  return times;
}

function estimate(count: CountTokens, text: string, most: number): number {
  const length = Math.min(text.length, most);
  let tokens = 0;
  // The tokenizer takes quadratic time on a long word, so it is shown short pieces.
  for (let at = 0; at < length; at += pieceLength) tokens += count(text.slice(at, Math.min(at + pieceLength, length)));
  return text.length > length ? Math.round((tokens * text.length) / length) : tokens;
}

/** Its vocabulary takes 60 MB and a quarter of a second, so only those who count load it. */
async function loadTokenizer(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  return (text) => countTokens(text, { allowedSpecial: 'all' });
}
