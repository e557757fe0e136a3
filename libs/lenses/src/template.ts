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

/** Distinct tokens as written, in order of appearance. */
export function rawTokens(template: string): string[] {
  const found = [...template.matchAll(token)].filter(([, inner]) => inner !== undefined && readToken(inner));
  return [...new Set(found.map(([whole]) => whole))];
}

export interface ValueCheck {
  valid: boolean;
  missing: string[];
  unknown: string[];
  totalParams: number;
  /** The number of given values, including unknown ones. */
  provided: number;
}

/** Checks values against the parameters of a template. */
export function checkValues(template: string, values: Readonly<Record<string, unknown>>): ValueCheck {
  const params = templateParams(template);
  const given = valuesByKey(values);
  const known = new Set(params.map(({ label }) => paramKey(label)));
  const missing = listMissing(params, given);
  const unknown = Object.keys(values).filter((name) => !known.has(paramKey(name)));
  return { valid: missing.length === 0, missing, unknown, totalParams: params.length, provided: given.size };
}

const valuesByKey = (values: Readonly<Record<string, unknown>>): Map<string, unknown> =>
  new Map(Object.entries(values).map(([name, value]) => [paramKey(name), value]));

const listMissing = (params: readonly Token[], given: ReadonlyMap<string, unknown>): string[] =>
  params.filter(({ label, optional }) => !optional && absent(given.get(paramKey(label)))).map(({ label }) => label);

/** The required parameters of a template that are not among these names. */
export const missingParams = (template: string, names: readonly string[]): string[] =>
  listMissing(templateParams(template), new Map(names.map((name) => [paramKey(name), name])));

/** `stableLength` is the length of the text before the first value, which is the same for all values. */
export type Resolution = { prompt: string; stableLength: number } | { missing: string[] };

/** A limit in characters, as a short template can repeat a long value thousands of times. */
const maxPromptLength = 1_000_000;

/** The position of a value. */
interface Slot {
  key: string;
}

/** A parsed template: unescaped text and slots for values. */
export class ParsedTemplate {
  readonly pieces: readonly (string | Slot)[];
  readonly params: readonly Token[];
  #textTokens?: number;

  constructor(template: string) {
    this.pieces = splitPieces(template);
    this.params = templateParams(template);
  }

  /** The number of tokens of the text around the slots, which is counted once. */
  textTokens(count: (template: ParsedTemplate) => number): number {
    return (this.#textTokens ??= count(this));
  }
}

function splitPieces(template: string): (string | Slot)[] {
  const pieces: (string | Slot)[] = [];
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
  return pieces;
}

/** The pieces with values filled in, or the labels of missing values. */
export function fillIn(
  { pieces, params }: ParsedTemplate,
  values: Readonly<Record<string, unknown>>,
): { parts: string[] } | { missing: string[] } {
  const given = valuesByKey(values);
  const missing = listMissing(params, given);
  if (missing.length > 0) return { missing };
  let length = 0;
  const parts = pieces.map((piece) => {
    const part = typeof piece === 'string' ? piece : formatValue(given.get(piece.key));
    length += part.length;
    if (length > maxPromptLength) throw tooLong();
    return part;
  });
  return { parts };
}

/**
 * Replaces tokens with values; tokens inside values are not replaced. Names ignore case, an optional parameter without
 * a value becomes empty, and unknown names are ignored.
 */
export function resolveTemplate(template: string, values: Readonly<Record<string, unknown>>): Resolution {
  const parsed = new ParsedTemplate(template);
  const filled = fillIn(parsed, values);
  if ('missing' in filled) return filled;
  const [first] = parsed.pieces;
  return { prompt: filled.parts.join(''), stableLength: typeof first === 'string' ? first.length : 0 };
}

const tooLong = () => badInput('params', `with these values the prompt is longer than ${maxPromptLength} characters`);

const absent = (value: unknown): boolean => value === undefined || value === null;

function formatValue(value: unknown): string {
  if (absent(value)) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
