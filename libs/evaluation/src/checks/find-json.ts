/** Each try may read the whole text. */
const maxTries = 500;

/** The JSON objects and lists in a text, the outermost ones. */
export function* findJson(text: string): Generator {
  let at = 0;
  for (let tries = 0; at < text.length && tries < maxTries; tries += 1) {
    const start = nextOpening(text, at);
    if (start < 0) return;
    const end = matchingEnd(text, start);
    const parsed = end < 0 ? undefined : parse(text.slice(start, end + 1));
    if (parsed === undefined) {
      at = start + 1;
    } else {
      yield parsed.value;
      at = end + 1;
    }
  }
}

function nextOpening(text: string, from: number): number {
  const [brace, bracket] = [text.indexOf('{', from), text.indexOf('[', from)];
  if (brace < 0 || bracket < 0) return Math.max(brace, bracket);
  return Math.min(brace, bracket);
}

/** The end of the object or list that begins at a place; -1 without one. */
function matchingEnd(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character === '\\') at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

export function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
