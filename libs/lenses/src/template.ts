import { type MessageRole, didYouMean, isRecord } from '@lensforge/contracts';
import { badInput, requiredMessage } from '@lensforge/core';
import type { PromptImage } from '@lensforge/models';
import { type LensInclude, expandIncludes } from './include-tags.js';
import { headOf, isHistory, readMessages } from './messages.js';
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
export const templateParams = (template: Template): readonly Token[] => toParsed(template).params;

/** A template as text, or parsed. */
export type Template = string | ParsedTemplate;

const toParsed = (template: Template): ParsedTemplate =>
  typeof template === 'string' ? new ParsedTemplate(template) : template;

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

/** Checks values against the parameters of a lens. */
export function checkValues(params: readonly Token[], values: Readonly<Record<string, unknown>>): ValueCheck {
  const given = valuesByKey(values);
  const missing = listMissing(params, given);
  const unknown = unknownParams(params, Object.keys(values));
  return { valid: missing.length === 0, missing, unknown, totalParams: params.length, provided: given.size };
}

const valuesByKey = (values: Readonly<Record<string, unknown>>): Map<string, unknown> =>
  new Map(Object.entries(values).map(([name, value]) => [paramKey(name), value]));

const listMissing = (params: readonly Token[], given: ReadonlyMap<string, unknown>): string[] =>
  params.filter(({ label, optional }) => !optional && absent(given.get(paramKey(label)))).map(({ label }) => label);

/** The required parameters that are not among these names. */
export const missingParams = (params: readonly Token[], names: readonly string[]): string[] =>
  listMissing(params, new Map(names.map((name) => [paramKey(name), name])));

/** Picks the names that are no parameter. */
export function unknownParams(params: readonly Token[], names: readonly string[]): string[] {
  const known = new Set(params.map(({ label }) => paramKey(label)));
  return names.filter((name) => !known.has(paramKey(name)));
}

/** The longest name that a message repeats. */
const maxShown = 100;

/** The message for required parameters without a value; it also names the values that are of no parameter. */
export function missingMessage(
  {
    params,
    values,
    missing,
  }: { params: readonly Token[]; values: Readonly<Record<string, unknown>>; missing: string[] },
  member: string,
): string {
  const labels = params.map(({ label }) => label);
  const unknown = unknownParams(params, Object.keys(values)).filter((name) => name.length <= maxShown);
  const hints = unknown.slice(0, 3).map((name) => `; the lens has no parameter ${name}${didYouMean(name, labels)}`);
  return requiredMessage(missing.map((label) => `${member}.${label}`)) + hints.join('');
}

export interface Turn {
  role: 'user' | 'assistant';
  text: string;
  /** The images of the lens in it. */
  images?: readonly PromptImage[];
}

/** A request to a model: a prompt of the user, the instructions above it, and the turns after it. */
export interface Conversation {
  system?: string;
  prompt: string;
  /** The images of the lens in the prompt. */
  images?: readonly PromptImage[];
  messages?: Turn[];
  /** The length of the prompt before the first value, which, with the instructions, is the same for all values. */
  stableLength?: number;
}

/** Values of an example of a lens, and the answer to them. */
export interface Example {
  params: Readonly<Record<string, unknown>>;
  answer: string;
}

export type Resolution = Conversation | { missing: string[] };

/** All text of a conversation, for counting. */
export const textOf = ({
  system = '',
  prompt,
  messages = [],
}: {
  system?: string | undefined;
  prompt: string;
  messages?: readonly { text: string }[] | undefined;
}): string =>
  system === '' && messages.length === 0 ? prompt : [system, prompt, ...messages.map(({ text }) => text)].join('\n');

interface Part {
  role: MessageRole;
  head: string;
  images: readonly PromptImage[];
  /** Undefined for the earlier messages of a request. */
  pieces: readonly Piece[] | undefined;
}

/** A parsed template: unescaped text, slots for values, and sections; as one text, and as the parts of a conversation. */
export class ParsedTemplate {
  readonly pieces: readonly Piece[];
  /** Undefined for a template that is one text. */
  readonly parts: readonly Part[] | undefined;
  readonly params: readonly Token[];
  /** The images in its messages. */
  readonly images: readonly PromptImage[];
  /** The template with what it includes. */
  readonly text: string;
  #textTokens?: number;

  constructor(template: string, includes: readonly LensInclude[] | null = null) {
    // Roles are read first, so that a text which is included begins no message.
    this.parts = readMessages(template)?.map(({ role, text, parts = [] }) => ({
      role,
      head: headOf({ role, parts }),
      images: parts.map(({ image }) => image),
      pieces: isHistory({ text }) ? undefined : parseTemplate(expandIncludes(text, includes)),
    }));
    this.text = expandIncludes(template, includes);
    this.pieces = this.parts ? toPieces(this.parts) : parseTemplate(this.text);
    this.params = listParams(this.pieces);
    this.images = (this.parts ?? []).flatMap(({ images }) => images);
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
export function resolveTemplate(
  template: Template,
  values: Readonly<Record<string, unknown>>,
  examples: readonly Example[] = [],
): Resolution {
  const { pieces, parts, params } = toParsed(template);
  const given = valuesByKey(values);
  const missing = listMissing(params, given);
  if (missing.length > 0) return { missing };
  const use = { length: 0, items: 0 };
  const rendering = new Rendering(given, use);
  const render = (some: readonly Piece[]): string => some.map((piece) => rendering.render(piece)).join('');
  const shown = examples.flatMap(({ params, answer }): Turn[] => {
    const example = new Rendering(valuesByKey(params), use);
    const asked = parts?.at(-1)?.pieces ?? pieces;
    return [
      { role: 'user', text: asked.map((piece) => example.render(piece)).join('') },
      { role: 'assistant', text: answer },
    ];
  });
  if (!parts && shown.length === 0) return { prompt: render(pieces), stableLength: fixedLength(pieces) };
  if (!parts)
    return toConversation([...shown, { role: 'user', text: render(pieces) }], { stableLength: shown[0]?.text.length });
  const systems = parts.flatMap(({ role, pieces }) => (role === 'system' && pieces ? [pieces] : []));
  const turns = parts.flatMap(({ role, pieces, images }): Turn[] => {
    if (role === 'system') return [];
    if (!pieces) return readHistory(given.get(historyKey));
    return [{ role, text: render(pieces), ...(images.length > 0 && { images }) }];
  });
  if (turns[0]?.role !== 'user') throw badInput('params.history', 'must begin with a message of the user');
  const opening = parts.find(({ role }) => role !== 'system')?.pieces;
  const isFixed = systems.every((some) => some.every((piece) => typeof piece === 'string'));
  return toConversation([...shown, ...turns], {
    system: systems.length > 0 ? systems.map(render).join('\n\n') : undefined,
    stableLength: isFixed ? (shown[0]?.text.length ?? (opening ? fixedLength(opening) : 0)) : undefined,
  });
}

function toConversation(
  [first, ...messages]: readonly Turn[],
  { system, stableLength }: { system?: string | undefined; stableLength: number | undefined },
): Conversation {
  return {
    ...(system !== undefined && { system }),
    prompt: first?.text ?? '',
    ...(first?.images && { images: first.images }),
    ...(messages.length > 0 && { messages }),
    ...(stableLength !== undefined && { stableLength }),
  };
}

/** The length of the text before the first value. */
const fixedLength = ([first]: readonly Piece[]): number => (typeof first === 'string' ? first.length : 0);

const historyKey = 'history';
const maxTurns = 1000;

/** The earlier messages that a request gives. */
function readHistory(value: unknown): Turn[] {
  if (absent(value)) return [];
  const isTurn = (turn: unknown): turn is Turn =>
    isRecord(turn) && (turn['role'] === 'user' || turn['role'] === 'assistant') && typeof turn['text'] === 'string';
  if (Array.isArray(value) && value.length <= maxTurns && value.every(isTurn))
    return value.map(({ role, text }) => ({ role, text }));
  throw badInput('params.history', `must be a list of up to ${maxTurns} {"role": "user" or "assistant", "text": "…"}`);
}

/** The parts as one text, each behind a line with its role. */
const toPieces = (parts: readonly Part[]): Piece[] =>
  parts.flatMap(({ head, pieces }, index): Piece[] => [
    `${index > 0 ? '\n' : ''}${head}`,
    ...(pieces ?? [{ kind: 'value', key: historyKey, label: historyKey, optional: true }]),
  ]);

const absent = (value: unknown): boolean => value === undefined || value === null;
