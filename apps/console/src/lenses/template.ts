const mark = /(\\)?\[\[([^[\]]+?)(!)?\]\]/g;

export interface TemplatePart {
  text: string;
  /** The name of a parameter; undefined for other text. */
  parameter?: string;
}

/** A template as parameters and the text between them. An escaped `\[[` is text. */
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

export interface TemplateParameter {
  label: string;
  optional: boolean;
}

/** The parameters of a template in the order of their first places; optional if every place is. */
export function listParameters(template: string): TemplateParameter[] {
  const found = new Map<string, boolean>();
  for (const { text, parameter } of splitTemplate(template)) {
    if (parameter === undefined) continue;
    found.set(parameter, (found.get(parameter) ?? true) && text.endsWith('!]]'));
  }
  return [...found].map(([label, optional]) => ({ label, optional }));
}

/** Roughly the tokens of a text in any script, as dry runs count them: four bytes are one token in most models. */
export const roughTokens = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 4);
