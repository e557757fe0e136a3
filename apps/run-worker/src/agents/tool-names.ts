import { createHash } from 'node:crypto';

const longest = 64;

/**
 * Names for tools in requests to models, which allow letters, digits, - and _ only. Names that would be the same get a part of
 * the hash of the whole id.
 */
export function toolNames(toolIds: readonly string[]): Map<string, string> {
  const plain = toolIds.map((id) => id.replace(/[^A-Za-z0-9-]/g, '_'));
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    toolIds.map((id, index) => {
      const name = plain[index] ?? '';
      if (name.length <= longest && counts.get(name) === 1) return [name, id];
      const hash = createHash('sha256').update(id).digest('hex').slice(0, 8);
      return [`${name.slice(0, longest - 9)}_${hash}`, id];
    }),
  );
}
