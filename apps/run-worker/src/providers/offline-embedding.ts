import { createHash } from 'node:crypto';

const defaultDimensions = 256;

/** Three letters in a row, so that words with the same beginning are alike. */
const gramLength = 3;

/**
 * A vector of length 1 without a model: each word, and each three letters of it, adds to one dimension that its hash chooses.
 * Texts with the same words are close to each other; synonyms are not.
 */
export function embedOffline(text: string, dimensions = defaultDimensions): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const add = (name: string, weight: number): void => {
    const hash = createHash('sha256').update(name).digest();
    const at = hash.readUInt32LE(0) % dimensions;
    vector[at] = (vector[at] ?? 0) + (hash.readUInt8(4) % 2 === 0 ? weight : -weight);
  };
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    add(`word ${word}`, 1);
    for (let at = 0; at + gramLength <= word.length; at += 1) add(`part ${word.slice(at, at + gramLength)}`, 0.3);
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector.map((_, at) => (at === 0 ? 1 : 0)) : vector.map((value) => value / length);
}
