const fence = '```';

/** The JSON of an answer, which some models put into a code block; throws when it is none. */
export function jsonIn(text: string): unknown {
  const trimmed = text.trim();
  return JSON.parse(inBlock(trimmed) ?? trimmed);
}

/** The text in a code block; searches without a pattern, so that the time grows with the length alone. */
function inBlock(text: string): string | undefined {
  const start = text.indexOf('\n');
  if (start === -1 || !text.startsWith(fence) || !text.endsWith(fence)) return undefined;
  const language = text.slice(fence.length, start).trim();
  return language === '' || language === 'json' ? text.slice(start, -fence.length).trim() : undefined;
}
