import { badInput } from '@lensforge/core';

export interface LensParam {
  id: string;
  label: string;
  optional: boolean;
}

/** A backslash before `[[` keeps it literal. Names hold no brackets and no line break, so matching is linear. */
const token = /\\\[\[|\[\[([^[\]\n]{1,100})\]\]/g;

interface Token {
  label: string;
  optional: boolean;
}

function readToken(inner: string): Token | undefined {
  const optional = inner.trimEnd().endsWith('!');
  const label = (optional ? inner.trimEnd().slice(0, -1) : inner).trim();
  return label === '' ? undefined : { label, optional };
}

export const paramKey = (label: string): string => label.trim().toLowerCase();

/** The parameters of a template in order of appearance; one that is required anywhere is required. */
export function templateParams(template: string): Token[] {
  const found = new Map<string, Token>();
  for (const [, inner] of template.matchAll(token)) {
    const read = inner === undefined ? undefined : readToken(inner);
    if (!read) continue;
    const known = found.get(paramKey(read.label));
    if (known) known.optional &&= read.optional;
    else found.set(paramKey(read.label), read);
  }
  return [...found.values()];
}

/** Every token as it is written, once, in order of appearance. */
export function rawTokens(template: string): string[] {
  const found = [...template.matchAll(token)].filter(([, inner]) => inner !== undefined && readToken(inner));
  return [...new Set(found.map(([whole]) => whole))];
}

export interface ValueCheck {
  /** Whether the template can be resolved with these values. */
  valid: boolean;
  missing: string[];
  unknown: string[];
  totalParams: number;
  /** How many values were given, those that are unknown as well. */
  provided: number;
}

/** What resolving would say to these values. */
export function checkValues(template: string, values: Readonly<Record<string, unknown>>): ValueCheck {
  const params = templateParams(template);
  const given = valuesByKey(values);
  const known = new Set(params.map(({ label }) => paramKey(label)));
  const missing = missingOf(params, given);
  const unknown = Object.keys(values).filter((name) => !known.has(paramKey(name)));
  return { valid: missing.length === 0, missing, unknown, totalParams: params.length, provided: given.size };
}

const valuesByKey = (values: Readonly<Record<string, unknown>>): Map<string, unknown> =>
  new Map(Object.entries(values).map(([name, value]) => [paramKey(name), value]));

const missingOf = (params: readonly Token[], given: ReadonlyMap<string, unknown>): string[] =>
  params.filter(({ label, optional }) => !optional && absent(given.get(paramKey(label)))).map(({ label }) => label);

/** The required parameters of a template that are not among these names. */
export const missingParams = (template: string, names: readonly string[]): string[] =>
  missingOf(templateParams(template), new Map(names.map((name) => [paramKey(name), name])));

export type Resolution = { prompt: string } | { missing: string[] };

/** A short template can repeat a long value thousands of times. */
const longestPrompt = 1_000_000;

/** Where a value goes. */
interface Place {
  key: string;
}

/** A template taken apart: its text as it will stand in the prompt, and the places for values. */
export interface ReadTemplate {
  readonly pieces: readonly (string | Place)[];
  readonly params: readonly Token[];
}

export function readTemplate(template: string): ReadTemplate {
  const pieces: (string | Place)[] = [];
  let text = '';
  let end = 0;
  for (const match of template.matchAll(token)) {
    const [whole, inner] = match;
    text += template.slice(end, match.index);
    end = match.index + whole.length;
    const read = inner === undefined ? undefined : readToken(inner);
    if (!read) {
      text += inner === undefined ? '[[' : whole;
      continue;
    }
    if (text !== '') pieces.push(text);
    text = '';
    pieces.push({ key: paramKey(read.label) });
  }
  text += template.slice(end);
  if (text !== '') pieces.push(text);
  return { pieces, params: templateParams(template) };
}

/** The pieces with their values, or the labels of those that are missing. */
export function fillIn(
  { pieces, params }: ReadTemplate,
  values: Readonly<Record<string, unknown>>,
): { parts: string[] } | { missing: string[] } {
  const given = valuesByKey(values);
  const missing = missingOf(params, given);
  if (missing.length > 0) return { missing };
  let length = 0;
  const parts = pieces.map((piece) => {
    const part = typeof piece === 'string' ? piece : textOf(given.get(piece.key));
    length += part.length;
    if (length > longestPrompt) throw tooLong();
    return part;
  });
  return { parts };
}

/**
 * Puts values in place of tokens, once: what a value contains is never read as a token. Names are compared without
 * case, an optional one without a value becomes nothing, unknown names are ignored.
 */
export function resolveTemplate(template: string, values: Readonly<Record<string, unknown>>): Resolution {
  const filled = fillIn(readTemplate(template), values);
  return 'missing' in filled ? filled : { prompt: filled.parts.join('') };
}

const tooLong = () => badInput('params', `with these values the prompt is longer than ${longestPrompt} characters`);

const absent = (value: unknown): boolean => value === undefined || value === null;

function textOf(value: unknown): string {
  if (absent(value)) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
