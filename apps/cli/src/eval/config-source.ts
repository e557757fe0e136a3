import { dirname, extname, isAbsolute, join } from 'node:path';
import type { Document, LineCounter, Node } from 'yaml';
import { UsageFault } from '../faults.js';

export type Path = readonly (string | number)[];

/** A part of a configuration that cannot be taken, with its line. */
export interface Untaken {
  where: string;
  what: string;
}

/** Reads files by their paths. */
export interface FileReader {
  readText: (path: string) => Promise<string>;
  readBytes: (path: string) => Promise<Buffer>;
}

/** A configuration file: its content, the lines of its parts, and the files that it names. */
export class ConfigSource {
  readonly untaken: Untaken[] = [];
  /** True when a model decides the assertions that need one. */
  hasJudge = false;

  private constructor(
    readonly path: string,
    readonly content: Record<string, unknown>,
    private readonly document: Document,
    private readonly lines: LineCounter,
    private readonly files: FileReader,
  ) {}

  static async open(path: string, text: string, files: FileReader): Promise<ConfigSource> {
    const { LineCounter, parseDocument } = await import('yaml');
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, merge: true });
    const [fault] = document.errors;
    if (fault) throw new UsageFault(`${path} is not valid YAML: ${fault.message.split('\n', 1)[0] ?? ''}`);
    const content = document.toJS({ maxAliasCount: 10_000 }) as unknown;
    if (typeof content !== 'object' || content === null || Array.isArray(content)) {
      throw new UsageFault(`${path} must have members`, 'Such as prompts, providers and tests');
    }
    return new ConfigSource(path, content as Record<string, unknown>, document, lines, files);
  }

  /** Notes a part that cannot be taken. */
  refuse(path: Path, what: string, file?: string): void {
    this.untaken.push({ where: file ?? `${this.path}:${this.lineOf(path)}`, what: `${describePath(path)}${what}` });
  }

  /** The line of the innermost part of a path that the file has. */
  private lineOf(path: Path): number {
    for (let length = path.length; length > 0; length -= 1) {
      const node = this.document.getIn(path.slice(0, length), true) as Node | undefined;
      const start = node?.range?.[0];
      if (start !== undefined) return this.lines.linePos(start).line;
    }
    return 1;
  }

  /** The path of a file that is named with or without `file://`, relative to the configuration. */
  resolve(name: string): string {
    const path = name.startsWith('file://') ? name.slice('file://'.length) : name;
    return isAbsolute(path) || this.path === '-' ? path : join(dirname(this.path), path);
  }

  readFile(name: string): Promise<string> {
    return this.files.readText(this.resolve(name));
  }

  readBytes(name: string): Promise<Buffer> {
    return this.files.readBytes(this.resolve(name));
  }

  /** The data of a YAML, JSON or JSON lines file. */
  async readData(name: string): Promise<unknown> {
    const text = await this.readFile(name);
    if (extname(name) === '.jsonl') {
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as unknown);
    }
    const { parse } = await import('yaml');
    return parse(text, { merge: true }) as unknown;
  }
}

const describePath = (path: Path): string =>
  path.length === 0
    ? ''
    : `${path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${part}`)).join('')}: `;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text or number as a text; undefined for another value. */
export const toText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** A list; a single value is a list of one. */
export const toList = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
