import type { ValueTransformer } from 'typeorm';

/**
 * JSON that PostgreSQL accepts as jsonb. U+0000 and lone surrogates become U+FFFD, so that such a character in a model's
 * output cannot keep its run from ending.
 */
export const toJsonb = (value: unknown): string =>
  JSON.stringify(value).replace(/\\\\|\\u(?:0000|d[89a-f]..)/g, (match) => (match === '\\\\' ? match : '\\ufffd'));

/** For columns of entities whose JSON is written by users. */
export const userJson: ValueTransformer = {
  to: (value: unknown) => (value === null || value === undefined ? value : (JSON.parse(toJsonb(value)) as unknown)),
  from: (value: unknown) => value,
};
