/** The values of a text that has JSON documents one after the other; other lines between them are skipped. */
export function documentsIn(text: string): unknown[] {
  const found: unknown[] = [];
  let at = 0;
  while (at < text.length) {
    const begin = text.slice(at).search(/[[{]/);
    if (begin < 0) break;
    const end = endOf(text, at + begin);
    const value = end === undefined ? undefined : parsed(text.slice(at + begin, end));
    if (value === undefined || end === undefined) {
      at += begin + 1;
    } else {
      found.push(value);
      at = end;
    }
  }
  return found;
}

/** The place after the bracket that closes the one at `begin`. */
function endOf(text: string, begin: number): number | undefined {
  let depth = 0;
  for (let at = begin; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (letter === '"') {
      const rest = /"(?:[^"\\]|\\[^])*"/y;
      rest.lastIndex = at;
      if (!rest.test(text)) return undefined;
      at = rest.lastIndex - 1;
    } else if ('[{'.includes(letter)) {
      depth += 1;
    } else if (']}'.includes(letter)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const forms = [
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  /^(queued|running|succeeded)$/,
];
const omitted = '…';

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True if a text is the shown one, or differs only in an id, a time or the progress of a run. */
function isSuchText(shown: string, given: string): boolean {
  if (forms.some((form) => form.test(shown) && form.test(given))) return true;
  const pattern = shown.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(omitted, '[^]*');
  return new RegExp(`^${pattern}$`).test(given);
}

/**
 * The places where a reply has not the form that a page shows. Ids, times and numbers may differ; `…` in a text stands for
 * any text, as an item or as a member (`"…": "…"`) for others that are left out.
 */
export function faultsOf(shown: unknown, given: unknown, path = '$'): string[] {
  if (typeof shown === 'string') {
    if (shown === omitted) return [];
    return typeof given === 'string' && isSuchText(shown, given) ? [] : [`${path} is ${JSON.stringify(given)}`];
  }
  if (typeof shown === 'number') return typeof given === 'number' ? [] : [`${path} is ${JSON.stringify(given)}`];
  if (Array.isArray(shown)) {
    if (!Array.isArray(given)) return [`${path} is no list`];
    const items = shown.filter((item) => item !== omitted);
    const isOpen = items.length < shown.length;
    if (given.length < items.length || (!isOpen && given.length > items.length))
      return [`${path} has ${given.length} items`];
    return items.flatMap((item, at) => faultsOf(item, given[at], `${path}[${at}]`));
  }
  if (isMembers(shown)) {
    if (!isMembers(given)) return [`${path} is ${JSON.stringify(given)}`];
    const isOpen = omitted in shown;
    const undocumented = isOpen ? [] : Object.keys(given).filter((name) => !(name in shown));
    return [
      ...undocumented.map((name) => `${path}.${name} is not shown`),
      ...Object.entries(shown)
        .filter(([name]) => name !== omitted)
        .flatMap(([name, value]) =>
          name in given ? faultsOf(value, given[name], `${path}.${name}`) : [`${path}.${name} is missing`],
        ),
    ];
  }
  return shown === given ? [] : [`${path} is ${JSON.stringify(given)}`];
}

/** The faults of the replies that a page shows below a command; they are the last ones that it prints. */
export function faultsOfReplies(shown: string, output: string): string[] {
  const expected = documentsIn(shown);
  if (expected.length === 0) return ['the page shows no JSON'];
  const printed = documentsIn(output).slice(-expected.length);
  if (printed.length < expected.length) return [`the command prints ${printed.length} replies: ${output.slice(-400)}`];
  return expected.flatMap((each, at) => faultsOf(each, printed[at], `reply ${at + 1}`));
}
