type CountTokens = (text: string) => number;

let counting: Promise<CountTokens> | undefined;

const pieceLength = 2000;
const mostCounted = 200_000;

/** About how many tokens a model reads; of a long text the rest is taken to be like its beginning. */
export async function estimateTokens(text: string): Promise<number> {
  const count = await (counting ??= loadTokenizer());
  const length = Math.min(text.length, mostCounted);
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
