import { cachedExpression, readExpression } from './expression.js';

/** The limit for parsing in process. */
const maxCharactersRead = 5000;

/**
 * The ids of nodes that expressions may refer to. The result is exact for short or cached expressions; for others it holds
 * every id that occurs in the text.
 */
export function referencedNodes(texts: readonly string[], ids: Iterable<string>): string[] {
  let charactersLeft = maxCharactersRead;
  const long: string[] = [];
  const found = new Set<string>();
  for (const text of texts) {
    const cached = cachedExpression(text);
    if (!cached && (charactersLeft -= text.length) < 0) long.push(text);
    else for (const id of (cached ?? readExpression(text)).nodes) found.add(id);
  }
  if (long.length === 0) return [...found];
  // An escape in a text can spell any name.
  const escapes = long.some((text) => text.includes('\\'));
  const names = new Set(long.flatMap((text) => text.match(/[A-Za-z][\w-]*/g) ?? []));
  for (const id of ids) if (escapes || names.has(id)) found.add(id);
  return [...found];
}
