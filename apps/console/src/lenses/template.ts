const mark = /(\\)?\[\[([^[\]\n]+?)(!)?\]\]/g;

export interface TemplatePart {
  text: string;
  /** The name of a parameter or of the tag of a section; undefined for other text. */
  parameter?: string;
}

/** A template as tokens and the text between them. An escaped `\[[` is text. */
export function splitTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const match of template.matchAll(mark)) {
    if (match[1] !== undefined) continue;
    if (match.index > at) parts.push({ text: template.slice(at, match.index) });
    parts.push({ text: match[0], parameter: String(match[2]).trim() });
    at = match.index + match[0].length;
  }
  if (at < template.length) parts.push({ text: template.slice(at) });
  return parts;
}

/** A tag that stands for the text of another lens. */
const includeTag = /^\[\[>\s*[\w-]+\/[^\s@[\]/]+(@[\w.-]+)?\s*\]\]$/;

/** The line before a message of a conversation, and those of its images. */
const roleLine = /^\[\[@(system|user|assistant)\]\]$/;
const imageLine = /^\[\[@image image\/\w+ \S+\]\]$/;
/** A message that stands for the earlier ones of a request. */
const historyMessage = /^\[\[@(?:user|assistant)\]\]\n\[\[history\]\]$/m;
const isMessages = (template: string): boolean => roleLine.test(template.split('\n', 1)[0] ?? '');

export interface TemplateParameter {
  label: string;
  optional: boolean;
}

/**
 * The parameters of a template in the order of their first places; optional if every place is. Sections and the names within
 * them are optional.
 */
export function listParameters(template: string): TemplateParameter[] {
  const found = new Map<string, TemplateParameter>();
  const add = (label: string, optional: boolean): void => {
    const known = found.get(label.toLowerCase());
    if (known) known.optional &&= optional;
    else found.set(label.toLowerCase(), { label, optional });
  };
  const hasRoles = isMessages(template);
  const hasHistory = hasRoles && historyMessage.test(template);
  const parts = splitTemplate(template).filter(
    ({ text }) => !includeTag.test(text) && (!hasRoles || !(roleLine.test(text) || imageLine.test(text))),
  );
  const tags = new Set(parts.map(({ parameter = '' }) => parameter.replace(/^([#^/])\s*/, '$1').toLowerCase()));
  let depth = 0;
  for (const { text, parameter } of parts) {
    if (parameter === undefined) continue;
    const role = parameter.slice(0, 1);
    const name = parameter.slice(1).trim();
    const isSection =
      role === '/'
        ? tags.has(`#${name.toLowerCase()}`) || tags.has(`^${name.toLowerCase()}`)
        : (role === '#' || role === '^') && tags.has(`/${name.toLowerCase()}`);
    if (isSection) depth += role === '/' ? -1 : 1;
    if (isSection || depth > 0) {
      const label = (isSection ? name : parameter).split('.', 1)[0] ?? '';
      if (label !== '') add(label, true);
    } else add(parameter, text.endsWith('!]]') || (hasHistory && text === '[[history]]'));
  }
  return [...found.values()];
}

/** The names of sections, and of earlier messages, in lower case: their values may be JSON. */
export const listJsonNames = (template: string): ReadonlySet<string> =>
  new Set([
    ...(isMessages(template) ? ['history'] : []),
    ...splitTemplate(template).flatMap(({ parameter = '' }) =>
      parameter.startsWith('/') ? [parameter.slice(1).trim().toLowerCase()] : [],
    ),
  ]);

/** A list, an object or another value that is written as JSON, or else the text. */
export function readSectionValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The lengths that a template can have. */
const limits = { least: 50, most: 100_000 } as const;

/** A fault of a template that the server would refuse, or text that looks like a parameter and is none. */
export interface TemplateProblem {
  kind: 'short' | 'long' | 'open' | 'braces';
  length: number;
  /** The text that it is about. */
  text: string;
}

export function listProblems(template: string): TemplateProblem[] {
  const { length } = template.trim();
  const [braces = ''] = /\{\{[^{}\n]+\}\}/.exec(template) ?? [];
  const isOpen = splitTemplate(template).some(
    ({ text, parameter }) => parameter === undefined && /(?<!\\)\[\[/.test(text),
  );
  const found = {
    short: length > 0 && length < limits.least,
    long: length > limits.most,
    open: isOpen,
    braces: braces !== '',
  };
  const kinds = ['short', 'long', 'open', 'braces'] as const;
  return kinds.filter((kind) => found[kind]).map((kind) => ({ kind, length, text: braces }));
}

/** Roughly the tokens of a text in any script, as dry runs count them: four bytes are one token in most models. */
export const roughTokens = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 4);
