import { badInput } from '@lensforge/core';

export const maxTags = 20;
const tag = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]{0,48}[\p{L}\p{M}\p{N}])?$/u;

/** Validates tags; returns them in lower case, distinct and sorted. */
export function readTags(tags: readonly string[]): string[] {
  const read = [...new Set(tags.map(readTag))].sort();
  const fault = read.find((each) => !tag.test(each));
  if (fault !== undefined) {
    throw badInput(
      'tags',
      `"${fault.slice(0, 60)}" cannot be a tag: use 1 to 50 letters, digits, blanks or . _ - with a letter or digit at both ends`,
    );
  }
  if (read.length > maxTags) throw badInput('tags', `a lens has at most ${maxTags} tags`);
  return read;
}

export const readTag = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
