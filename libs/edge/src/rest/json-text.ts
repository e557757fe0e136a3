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
  const scan = new Scan(text);
  for (;;) {
    const fault = scan.step();
    if (fault !== undefined) return faultAt(text, fault);
  }
}

class Scan {
  private readonly open: ('{' | '[')[] = [];
  private expected: Expected = 'value';
  private at = 0;

  constructor(private readonly text: string) {}

  /** Reads one part. Returns the position of a fault. */
  step(): number | undefined {
    this.at = this.findEnd(blank) ?? this.at;
    const character = this.text[this.at];
    if (character === undefined) return this.text.length;
    switch (this.expected) {
      case 'value':
      case 'value or ]':
        return this.readValue(character);
      case 'key':
      case 'key or }':
        if (character === '}' && this.expected === 'key or }') return this.close();
        return character === '"' ? this.readString('colon') : this.at;
      case 'colon':
        return character === ':' ? this.moveTo(this.at + 1, 'value') : this.at;
      case 'comma or end':
        return this.readComma(character);
    }
  }

  private readValue(character: string): number | undefined {
    if (character === ']' && this.expected === 'value or ]') return this.close();
    if (character === '"') return this.readString('comma or end');
    if (character === '{' || character === '[') {
      this.open.push(character);
      return this.moveTo(this.at + 1, character === '{' ? 'key or }' : 'value or ]');
    }
    const end = this.findEnd(literal) ?? this.findEnd(number);
    return end === undefined ? faultOfWord(this.text, this.at) : this.moveTo(end, 'comma or end');
  }

  private readComma(character: string): number | undefined {
    const container = this.open.at(-1);
    if (container === undefined) return this.at;
    if (character === ',') return this.moveTo(this.at + 1, container === '{' ? 'key' : 'value');
    return character === (container === '{' ? '}' : ']') ? this.close() : this.at;
  }

  private readString(then: Expected): number | undefined {
    this.at += 1;
    for (;;) {
      this.at = this.findEnd(plainCharacters) ?? this.at;
      const character = this.text[this.at];
      if (character === '"') return this.moveTo(this.at + 1, then);
      const next = character === '\\' ? this.findEnd(escape) : undefined;
      if (next === undefined) return character === '\\' ? faultOfEscape(this.text, this.at) : this.at;
      this.at = next;
    }
  }

  private close(): number | undefined {
    this.open.pop();
    return this.moveTo(this.at + 1, 'comma or end');
  }

  private moveTo(at: number, expected: Expected): number | undefined {
    this.at = at;
    this.expected = expected;
    return undefined;
  }

  private findEnd(pattern: RegExp): number | undefined {
    pattern.lastIndex = this.at;
    return pattern.test(this.text) ? pattern.lastIndex : undefined;
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
