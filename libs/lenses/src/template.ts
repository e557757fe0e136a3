import { type Piece, listTokens, paramKey, parseTemplate } from './parse-template.js';
import { Rendering } from './rendering.js';

export { paramKey };

export interface LensParam {
  id: string;
  label: string;
  optional: boolean;
}

interface Token {
  label: string;
  optional: boolean;
}

/** The parameters of a template in order of appearance; one that is required anywhere is required. */
export const templateParams = (template: string): readonly Token[] => new ParsedTemplate(template).params;

/**
 * Within a section, a name may be that of an item or of a parameter, so that it is an optional parameter; sections themselves
 * are left out without a value.
 */
function listParams(pieces: readonly Piece[]): Token[] {
  const found = new Map<string, Token>();
  const add = (label: string, optional: boolean): void => {
    const known = found.get(paramKey(label));
    if (known) known.optional &&= optional;
    else found.set(paramKey(label), { label, optional });
  };
  const visit = (piece: Piece, within: boolean): void => {
    if (typeof piece === 'string') return;
    if (piece.kind === 'value' && !within) return add(piece.label, piece.optional);
    const [name = ''] = piece.label.split('.', 1);
    if (name.trim() !== '') add(name.trim(), true);
    if (piece.kind === 'section') for (const each of piece.pieces) visit(each, true);
  };
  for (const piece of pieces) visit(piece, false);
  return [...found.values()];
}

/** Distinct tokens as written, in order of appearance. */
export const rawTokens = (template: string): string[] => [...new Set(listTokens(template))];

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

/** A parsed template: unescaped text, slots for values, and sections. */
export class ParsedTemplate {
  readonly pieces: readonly Piece[];
  readonly params: readonly Token[];
  #textTokens?: number;

  constructor(template: string) {
    this.pieces = parseTemplate(template);
    this.params = listParams(this.pieces);
  }

  /** The number of tokens of the text around the slots, which is counted once. */
  textTokens(count: (template: ParsedTemplate) => number): number {
    return (this.#textTokens ??= count(this));
  }
}

/** The pieces with values filled in, or the labels of missing values. */
export function fillIn(
  { pieces, params }: ParsedTemplate,
  values: Readonly<Record<string, unknown>>,
): { parts: string[] } | { missing: string[] } {
  const given = valuesByKey(values);
  const missing = listMissing(params, given);
  if (missing.length > 0) return { missing };
  const rendering = new Rendering(given);
  const parts = pieces.map((piece) => rendering.render(piece));
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

const absent = (value: unknown): boolean => value === undefined || value === null;
