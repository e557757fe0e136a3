/** How many characters of rows are read at once. */
const partSize = 524_288;

/** A row by its place in an order, and about how many characters it has. */
export interface SizedRow<K> {
  key: K;
  size: number;
}

/**
 * Reads the rows of an ordered list in parts of about half a megabyte, each when the one before it was taken: a list of any
 * length is never in memory as a whole.
 */
export async function* readInParts<K>(
  rows: readonly SizedRow<K>[],
  read: (first: K, last: K) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  for (const { first, last } of partsOf(rows)) yield* await read(first, last);
}

function partsOf<K>(rows: readonly SizedRow<K>[]): { first: K; last: K }[] {
  const parts: { first: K; last: K }[] = [];
  let room = 0;
  for (const { key, size } of rows) {
    const part = parts.at(-1);
    if (part && size <= room) {
      part.last = key;
      room -= size;
    } else {
      parts.push({ first: key, last: key });
      room = partSize - size;
    }
  }
  return parts;
}
