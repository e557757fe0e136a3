/** The first fault of a text that is not JSON. */
export interface JsonFault {
  /** The offset of the first unexpected character, from 0. */
  readonly position: number;
  /** The line number, from 1. */
  readonly line: number;
  /** `end`, or a description of the character. */
  readonly unexpected: string;
}

export class NotJson extends Error {
  override readonly name = 'NotJson';

  constructor(readonly fault: JsonFault) {
    super(`is not valid JSON (${describe(fault)})`);
  }
}

/** Parses JSON; throws NotJson with the position of the first fault. V8's messages quote the text or name no position. */
export function parseJson(text: string): unknown {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(plain);
  } catch {
    throw new NotJson(faultIn(plain));
  }
}

const describe = ({ position, line, unexpected }: JsonFault): string =>
  `unexpected ${unexpected} at position ${position}${line > 1 ? `, in line ${line}` : ''}`;

const blank = /[\t\n\r ]*/y;
const literal = /true|false|null/y;
const number = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const plainCharacters = /[^"\\\u0000-\u001f]*/y;
const escape = /\\(["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end';

/** Finds the first fault without recursion, so that depth has no limit. */
function faultIn(text: string): JsonFault {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;

  const findEnd = (pattern: RegExp): number | undefined => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : undefined;
  };
  /** The end of the string that begins here, or the position of its fault. */
  const endOfString = (): { end: number } | { fault: number } => {
    at += 1;
    for (;;) {
      at = findEnd(plainCharacters) ?? at;
      if (text[at] === '"') return { end: at + 1 };
      const next = text[at] === '\\' ? findEnd(escape) : undefined;
      if (next === undefined) return { fault: text[at] === '\\' ? faultOfEscape(text, at) : at };
      at = next;
    }
  };
  const afterValue = (): Expected => 'comma or end';

  for (;;) {
    at = findEnd(blank) ?? at;
    const character = text[at];
    if (character === undefined) return faultAt(text, text.length);
    switch (expected) {
      case 'value':
      case 'value or ]':
        if (character === ']' && expected === 'value or ]') {
          open.pop();
          at += 1;
          expected = afterValue();
        } else if (character === '{' || character === '[') {
          open.push(character);
          at += 1;
          expected = character === '{' ? 'key or }' : 'value or ]';
        } else if (character === '"') {
          const string = endOfString();
          if ('fault' in string) return faultAt(text, string.fault);
          at = string.end;
          expected = afterValue();
        } else {
          const end = findEnd(literal) ?? findEnd(number);
          if (end === undefined) return faultAt(text, faultOfWord(text, at));
          at = end;
          expected = afterValue();
        }
        break;
      case 'key':
      case 'key or }': {
        if (character === '}' && expected === 'key or }') {
          open.pop();
          at += 1;
          expected = afterValue();
          break;
        }
        if (character !== '"') return faultAt(text, at);
        const string = endOfString();
        if ('fault' in string) return faultAt(text, string.fault);
        at = string.end;
        expected = 'colon';
        break;
      }
      case 'colon':
        if (character !== ':') return faultAt(text, at);
        at += 1;
        expected = 'value';
        break;
      case 'comma or end': {
        const container = open.at(-1);
        if (container === undefined) return faultAt(text, at);
        if (character === ',') expected = container === '{' ? 'key' : 'value';
        else if (character === (container === '{' ? '}' : ']')) open.pop();
        else return faultAt(text, at);
        at += 1;
        break;
      }
    }
  }
}

/** The position at which a word such as `tru` or a number such as `-` becomes invalid. */
function faultOfWord(text: string, start: number): number {
  for (const word of ['true', 'false', 'null']) {
    if (text[start] !== word[0]) continue;
    let length = 1;
    while (length < word.length && text[start + length] === word[length]) length += 1;
    return start + length;
  }
  return text[start] === '-' ? start + 1 : start;
}

function faultOfEscape(text: string, start: number): number {
  if (text[start + 1] !== 'u') return start + 1;
  let at = start + 2;
  while (at < start + 6 && /[0-9a-fA-F]/.test(text[at] ?? '')) at += 1;
  return at;
}

function faultAt(text: string, position: number): JsonFault {
  const line = text.slice(0, position).split('\n').length;
  return { position, line, unexpected: describeCharacter(text.codePointAt(position)) };
}

function describeCharacter(code: number | undefined): string {
  if (code === undefined) return 'end';
  if (code > 0x20 && code < 0x7f) return `character ${String.fromCodePoint(code)}`;
  return `character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
