/**
 * JSON that Postgres takes as jsonb. U+0000 and halves of surrogate pairs, which it refuses, become U+FFFD: one odd
 * character in what a model said must not keep its run from ending.
 */
export const toJsonb = (value: unknown): string =>
  JSON.stringify(value).replace(/\\\\|\\u(?:0000|d[89a-f]..)/g, (found) => (found === '\\\\' ? found : '\\ufffd'));
