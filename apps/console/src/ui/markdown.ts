/** The inner parts of a paragraph. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'mention'; handle: string }
  | { kind: 'strong' | 'em' | 'del'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] };

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'list'; start: number | undefined; items: Block[][] }
  | { kind: 'rule' };

/** Deeper quotes and lists are shown as text, so that hostile ones cost no deep tree. */
const deepest = 6;
const maxInline = 6;

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})[ \t](.*)$/s;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const quote = /^ {0,3}> ?/;
const item = /^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
const isBlank = (line: string): boolean => line.trim() === '';

/**
 * Reads Markdown into a tree of the few parts that messages need. Everything else, such as HTML and images, is text. The
 * tree holds no markup: a view makes elements from it.
 */
export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.replaceAll('\r\n', '\n').split('\n'), 0);
}

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (isBlank(line)) {
      at += 1;
      continue;
    }
    const found = depth < deepest ? blockAt(lines, at, depth) : undefined;
    const { block, end } = found ?? paragraphAt(lines, at, depth);
    blocks.push(block);
    at = end;
  }
  return blocks;
}

interface Found {
  block: Block;
  /** The first line behind the block. */
  end: number;
}

/** Any block but a paragraph that begins in this line. */
function blockAt(lines: readonly string[], at: number, depth: number): Found | undefined {
  const line = lines[at] ?? '';
  const [, marks] = fence.exec(line) ?? [];
  if (marks !== undefined) return codeAt(lines, at, marks);
  const title = heading.exec(line);
  if (title) {
    const [, signs = '#', text = ''] = title;
    return {
      block: { kind: 'heading', level: signs.length, children: parseInlines(withoutClosing(text)) },
      end: at + 1,
    };
  }
  if (rule.test(line)) return { block: { kind: 'rule' }, end: at + 1 };
  if (quote.test(line)) return quoteAt(lines, at, depth);
  return item.test(line) ? listAt(lines, at, depth) : undefined;
}

/** The text of a heading without the number signs that may close it. */
function withoutClosing(heading: string): string {
  const text = heading.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
  const open = text.replace(/(?<!#)#+$/, '');
  return open === text || /[ \t]$/.test(open) ? open.replace(/(?<![ \t])[ \t]+$/, '') : text;
}

function codeAt(lines: readonly string[], at: number, marks: string): Found {
  const closing = new RegExp(`^ {0,3}${marks.startsWith('~') ? '~' : '`'}{${marks.length},}[ \\t]*$`);
  let end = at + 1;
  while (end < lines.length && !closing.test(lines[end] ?? '')) end += 1;
  return { block: { kind: 'code', text: lines.slice(at + 1, end).join('\n') }, end: end + 1 };
}

function quoteAt(lines: readonly string[], at: number, depth: number): Found {
  const inner: string[] = [];
  let end = at;
  for (; end < lines.length && quote.test(lines[end] ?? ''); end += 1)
    inner.push((lines[end] ?? '').replace(quote, ''));
  return { block: { kind: 'quote', children: parseBlocks(inner, depth + 1) }, end };
}

function listAt(lines: readonly string[], at: number, depth: number): Found {
  const [, , mark = '-'] = item.exec(lines[at] ?? '') ?? [];
  const isOrdered = /\d/.test(mark);
  const items: Block[][] = [];
  let end = at;
  while (end < lines.length) {
    const found = item.exec(lines[end] ?? '');
    if (!found || /\d/.test(found[2] ?? '') !== isOrdered || rule.test(lines[end] ?? '')) break;
    const width = found[0].length;
    const inner = [(lines[end] ?? '').slice(width)];
    end += 1;
    for (; end < lines.length && belongsToItem(lines, end, width); end += 1) {
      inner.push((lines[end] ?? '').replace(new RegExp(`^ {0,${width}}`), ''));
    }
    items.push(parseBlocks(inner, depth + 1));
    while (end < lines.length && isBlank(lines[end] ?? '') && item.test(lines[end + 1] ?? '')) end += 1;
  }
  return { block: { kind: 'list', start: isOrdered ? Number.parseInt(mark, 10) : undefined, items }, end };
}

function belongsToItem(lines: readonly string[], at: number, width: number): boolean {
  const line = lines[at] ?? '';
  const isIndented = line.startsWith(' '.repeat(Math.min(width, 2)));
  if (isBlank(line)) return (lines[at + 1] ?? '').startsWith('  ');
  return isIndented || (!item.test(line) && !isBlank(lines[at - 1] ?? '') && !beginsBlock(line));
}

const beginsBlock = (line: string): boolean =>
  fence.test(line) || heading.test(line) || rule.test(line) || quote.test(line) || item.test(line);

function paragraphAt(lines: readonly string[], at: number, depth: number): Found {
  let end = at + 1;
  const goesOn = (line: string): boolean => !isBlank(line) && (depth >= deepest || !beginsBlock(line));
  while (end < lines.length && goesOn(lines[end] ?? '')) end += 1;
  const text = lines
    .slice(at, end)
    .map((line) => line.trim())
    .join('\n');
  return { block: { kind: 'paragraph', children: parseInlines(text) }, end };
}

interface InlineRule {
  /** Sticky: it is tried at each position. */
  pattern: RegExp;
  isLink?: true;
  /** Undefined when the match is text after all. */
  make: (match: RegExpExecArray, depth: number) => Inline | undefined;
}

const inner =
  (kind: 'strong' | 'em' | 'del') =>
  (match: RegExpExecArray, depth: number): Inline => ({
    kind,
    children: parseInlines(match[1] ?? '', depth + 1),
  });

const inlineRules: readonly InlineRule[] = [
  { pattern: /\\([!-/:-@[-`{-~])/y, make: ([, text = '']) => ({ kind: 'text', text }) },
  { pattern: /``([^`]|[^`][^]{0,2000}?[^`])``(?!`)/y, make: ([, text = '']) => ({ kind: 'code', text: text.trim() }) },
  { pattern: /`([^`\n]{1,2000})`(?!`)/y, make: ([, text = '']) => ({ kind: 'code', text }) },
  { pattern: /\*\*(?=\S)([^\n]{1,2000}?)(?<=\S)\*\*/y, make: inner('strong') },
  { pattern: /~~(?=\S)([^\n]{1,2000}?)(?<=\S)~~/y, make: inner('del') },
  { pattern: /\*(?=[^\s*])([^*\n]{1,2000}?)(?<=\S)\*/y, make: inner('em') },
  { pattern: /_(?=[^\s_])([^_\n]{1,2000}?)(?<=\S)_(?!\w)/y, make: inner('em') },
  {
    isLink: true,
    pattern: /\[([^[\]\n]{1,1000})\]\(<?([^\s<>()]{1,2000})>?(?:[ \t]+"[^"\n]{0,200}")?\)/y,
    make: ([, text = '', address = ''], depth) => {
      const href = safeHref(address);
      return href === undefined ? undefined : { kind: 'link', href, children: parseInlines(text, depth + 1, true) };
    },
  },
  {
    isLink: true,
    pattern: /https?:\/\/[^\s<>"'`()[\]]{1,2000}[^\s<>"'`()[\].,:;!?*_~]/iy,
    make: ([address]) => {
      const href = safeHref(address);
      return href === undefined ? undefined : { kind: 'link', href, children: [{ kind: 'text', text: address }] };
    },
  },
  { pattern: /@([a-z0-9_-]{3,64})/y, make: ([, handle = '']) => ({ kind: 'mention', handle }) },
  { pattern: / {2,}\n|\n/y, make: () => ({ kind: 'break' }) },
];

const linkless = inlineRules.filter(({ isLink }) => isLink !== true);

/** Reads the parts of a paragraph. Deeper ones, and links in links, are text. */
function parseInlines(text: string, depth = 0, isInLink = false): Inline[] {
  const parts: Inline[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') parts.push({ kind: 'text', text: plain });
    plain = '';
  };
  const rules = depth >= maxInline ? [] : isInLink ? linkless : inlineRules;
  for (let at = 0; at < text.length;) {
    const found = isMarked(text, at) ? partAt(text, at, rules, depth) : undefined;
    if (found) {
      flush();
      parts.push(found.part);
      at = found.end;
    } else {
      plain += text.charAt(at);
      at += 1;
    }
  }
  flush();
  return parts;
}

/** Most characters begin no part, which one comparison finds out. */
const isMarked = (text: string, at: number): boolean => {
  const character = text[at] ?? '';
  if ('\\`*~_[ \n'.includes(character)) return true;
  const before = text[at - 1] ?? ' ';
  // Within a word a mention or an address is part of the word, and in HTML an address is part of that.
  return character === '@' ? !/[\w@]/.test(before) : /h/i.test(character) && /\s/.test(before);
};

function partAt(
  text: string,
  at: number,
  rules: readonly InlineRule[],
  depth: number,
): { part: Inline; end: number } | undefined {
  for (const { pattern, make } of rules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const end = pattern.lastIndex;
    const part = match && make(match, depth);
    if (part) return { part, end };
  }
  return undefined;
}

/** Characters that browsers drop from an address, or that change its order on the screen. */
const unsafeCharacters = /[\u0000-\u0020\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\\]/;

/** The address of a link, if its scheme runs nothing; undefined for all others, whose text stays as it was written. */
export const safeHref = (address: string): string | undefined =>
  !unsafeCharacters.test(address) && /^(?:https?:\/\/[^/]|mailto:)/i.test(address) ? address : undefined;
