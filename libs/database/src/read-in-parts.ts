/** The size of a part, in characters. */
const partSize = 524_288;

/** The sort key of a row and its approximate size in characters. */
export interface SizedRow<K> {
  key: K;
  size: number;
}

/** Reads an ordered list in parts of about half a megabyte, on demand, so that it is never in memory as a whole. */
export async function* readInParts<K>(
  rows: readonly SizedRow<K>[],
  read: (first: K, last: K) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  for (const { first, last } of splitRows(rows)) yield* await read(first, last);
}

function splitRows<K>(rows: readonly SizedRow<K>[]): { first: K; last: K }[] {
  const parts: { first: K; last: K }[] = [];
  let remaining = 0;
  for (const { key, size } of rows) {
    const part = parts.at(-1);
    if (part && size <= remaining) {
      part.last = key;
      remaining -= size;
    } else {
      parts.push({ first: key, last: key });
      remaining = partSize - size;
    }
  }
  return parts;
}
