/**
 * JSON that PostgreSQL accepts as jsonb. U+0000 and lone surrogates become U+FFFD, so that such a character in a model's
 * output cannot keep its run from ending.
 */
export const toJsonb = (value: unknown): string =>
  JSON.stringify(value).replace(/\\\\|\\u(?:0000|d[89a-f]..)/g, (match) => (match === '\\\\' ? match : '\\ufffd'));
