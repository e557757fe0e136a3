/** A piece of a template that a value replaces. */
export interface Slot {
  kind: 'value';
  key: string;
  label: string;
  optional: boolean;
}

/** A part that is repeated for each item of a list, left out without a value, or, inverted, kept without one. */
export interface Section {
  kind: 'section';
  key: string;
  label: string;
  inverted: boolean;
  pieces: Piece[];
}

export type Piece = string | Slot | Section;

/** A backslash before `[[` keeps it literal. Names hold no brackets and no line break, so matching is linear. */
const token = /\\\[\[|\[\[([^[\]\n]{1,100})\]\]/g;

/** Sections may be nested this deep; a deeper one is no section. */
const maxDepth = 32;

/** The name of a value. */
export const paramKey = (label: string): string => label.trim().toLowerCase();

interface Tag {
  at: number;
  end: number;
  /** Undefined for an escaped bracket. */
  inner: string | undefined;
  /** Set for the two tags of a section. */
  role?: '#' | '^' | '/';
}

/** Parses a template into text, values and sections. A section tag without its counterpart is a value with this name. */
export function parseTemplate(template: string): Piece[] {
  const tags = pairSections(
    [...template.matchAll(token)].map(({ 0: whole, 1: inner, index: at }): Tag => ({
      at,
      end: at + whole.length,
      inner,
    })),
  );
  const pieces: Piece[] = [];
  const open: Piece[][] = [pieces];
  let text = '';
  let end = 0;
  const addText = (): void => {
    if (text !== '') open.at(-1)?.push(text);
    text = '';
  };
  for (const tag of tags) {
    const { inner, role } = tag;
    const line = role && lineOfTag(template, tag);
    text += template.slice(end, line?.at ?? tag.at);
    end = line?.end ?? tag.end;
    const name = role === undefined ? undefined : (inner ?? '').trim().slice(1).trim();
    const slot = role === undefined && inner !== undefined ? readSlot(inner) : undefined;
    if (name === undefined && !slot) {
      text += inner === undefined ? '[[' : template.slice(tag.at, tag.end);
      continue;
    }
    addText();
    if (slot) open.at(-1)?.push(slot);
    else if (role === '/') open.pop();
    else {
      const label = name ?? '';
      const section: Section = { kind: 'section', key: paramKey(label), label, inverted: role === '^', pieces: [] };
      open.at(-1)?.push(section);
      open.push(section.pieces);
    }
  }
  text += template.slice(end);
  addText();
  return pieces;
}

/** The tokens of a template as they are written. */
export const listTokens = (template: string): string[] =>
  [...template.matchAll(token)].flatMap(([whole, inner]) => (inner !== undefined && readSlot(inner) ? [whole] : []));

function readSlot(inner: string): Slot | undefined {
  const optional = inner.trimEnd().endsWith('!');
  const label = (optional ? inner.trimEnd().slice(0, -1) : inner).trim();
  return label === '' ? undefined : { kind: 'value', key: paramKey(label), label, optional };
}

/** Gives the tags of sections their roles. A closing tag ends the innermost open section with its name, those within it are none. */
function pairSections(tags: readonly Tag[]): readonly Tag[] {
  const open: { tag: Tag; key: string }[] = [];
  const positions = new Map<string, number[]>();
  for (const tag of tags) {
    const text = tag.inner?.trim() ?? '';
    const [role] = text;
    const key = paramKey(text.slice(1));
    if (key === '') continue;
    if ((role === '#' || role === '^') && open.length < maxDepth) {
      positions.set(key, [...(positions.get(key) ?? []), open.length]);
      open.push({ tag, key });
    } else if (role === '/') {
      const position = positions.get(key)?.at(-1);
      if (position === undefined) continue;
      const [opening, ...within] = open.splice(position);
      for (const each of [{ key }, ...within]) positions.get(each.key)?.pop();
      if (opening) opening.tag.role = opening.tag.inner?.trim().startsWith('^') ? '^' : '#';
      tag.role = '/';
    }
  }
  return tags;
}

/** The whole line of a tag that stands alone on it, which is removed. */
function lineOfTag(template: string, { at, end }: Tag): { at: number; end: number } | undefined {
  let start = at;
  while (start > 0 && isBlank(template[start - 1])) start -= 1;
  if (start > 0 && template[start - 1] !== '\n') return undefined;
  let stop = end;
  while (stop < template.length && isBlank(template[stop])) stop += 1;
  if (template.startsWith('\r\n', stop)) return { at: start, end: stop + 2 };
  if (template[stop] === '\n') return { at: start, end: stop + 1 };
  return stop === template.length ? { at: start, end: stop } : undefined;
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';
