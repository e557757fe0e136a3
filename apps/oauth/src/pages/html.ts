/** Escaped HTML; only `html` creates it. */
export class Html {
  constructor(private readonly markup: string) {}

  toString(): string {
    return this.markup;
  }
}

export type Part = Html | string | number | false | null | undefined | readonly Part[];

/** Escapes all values of the template, in text and in quoted attributes. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((page, text, index) => page + written(parts[index - 1]) + text));

function written(part: Part): string {
  if (part === undefined || part === null || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  return part.map(written).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  // HTML parsers turn a bare carriage return into a line feed.
  '\r': '&#13;',
};

const escaped = (text: string): string => text.replace(/[&<>"'`\r]/g, (found) => entities[found] ?? '');
