import { cachedExpression, readExpression } from './expression.js';

/** Longer texts are not read for this, as that takes its time. */
const mostCharactersRead = 5000;

/**
 * The ids that expressions may refer to: exactly those where the texts are short or were read before, otherwise all whose
 * names occur in them.
 */
export function referencedNodes(texts: readonly string[], ids: Iterable<string>): string[] {
  let left = mostCharactersRead;
  const long: string[] = [];
  const found = new Set<string>();
  for (const text of texts) {
    const kept = cachedExpression(text);
    if (!kept && (left -= text.length) < 0) long.push(text);
    else for (const id of (kept ?? readExpression(text)).nodes) found.add(id);
  }
  if (long.length === 0) return [...found];
  // An escape in a text can spell any name.
  const escapes = long.some((text) => text.includes('\\'));
  const names = new Set(long.flatMap((text) => text.match(/[A-Za-z][\w-]*/g) ?? []));
  for (const id of ids) if (escapes || names.has(id)) found.add(id);
  return [...found];
}
