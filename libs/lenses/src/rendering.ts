import { badInput } from '@lensforge/core';
import { type Piece, type Section, paramKey } from './parse-template.js';

/** A limit in characters, as a short template can repeat a long value thousands of times. */
const maxPromptLength = 1_000_000;

/** Items of lists that sections visit; nested lists can have many and little text. */
const maxItems = 1_000_000;

type Frame = ReadonlyMap<string, unknown>;

const nothing: Frame = new Map();

/** The use of the limits of a request, by all of its renderings together. */
export interface RenderingUse {
  length: number;
  items: number;
}

/** One rendering of a template with its values. */
export class Rendering {
  private readonly frames: Frame[];
  /** The value that `[[.]]` is: the item of the innermost section. */
  private readonly current: unknown[] = [];
  private readonly members = new WeakMap<object, Frame>();

  constructor(
    values: Frame,
    private readonly use: RenderingUse = { length: 0, items: 0 },
  ) {
    this.frames = [values];
  }

  render(piece: Piece): string {
    if (typeof piece !== 'string' && piece.kind === 'section') return this.renderSection(piece);
    const text =
      typeof piece === 'string' ? piece : formatValue(this.find(piece.key, { byPath: this.current.length > 0 }));
    this.use.length += text.length;
    if (this.use.length > maxPromptLength) {
      throw badInput('params', `with these values the prompt is longer than ${maxPromptLength} characters`);
    }
    return text;
  }

  private renderSection({ key, inverted, pieces }: Section): string {
    const value = this.find(key, { byPath: true });
    const isEmpty = !value || (Array.isArray(value) && value.length === 0);
    if (inverted) return isEmpty ? this.renderAll(pieces) : '';
    if (isEmpty) return '';
    return (Array.isArray(value) ? value : [value]).map((item) => this.renderItem(item, pieces)).join('');
  }

  private renderItem(item: unknown, pieces: readonly Piece[]): string {
    this.use.items += 1;
    if (this.use.items > maxItems)
      throw badInput('params', `the sections of the template visit more than ${maxItems} items`);
    this.frames.push(this.membersOf(item));
    this.current.push(item);
    const text = this.renderAll(pieces);
    this.frames.pop();
    this.current.pop();
    return text;
  }

  private renderAll(pieces: readonly Piece[]): string {
    return pieces.map((piece) => this.render(piece)).join('');
  }

  /** A value by its name, from the innermost item outwards. Dots may lead to a member, except in names of parameters, which may contain them. */
  private find(key: string, { byPath }: { byPath: boolean }): unknown {
    if (key === '.' && this.current.length > 0) return this.current.at(-1);
    const frame = this.frameOf(key);
    if (frame || !byPath || !key.includes('.')) return frame?.get(key);
    const [first = '', ...rest] = key.split('.').map(paramKey);
    return rest.reduce((value: unknown, name) => this.membersOf(value).get(name), this.frameOf(first)?.get(first));
  }

  private frameOf(key: string): Frame | undefined {
    return this.frames.findLast((frame) => frame.has(key));
  }

  private membersOf(value: unknown): Frame {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return nothing;
    const known = this.members.get(value);
    if (known) return known;
    const frame = new Map(Object.entries(value).map(([name, member]) => [paramKey(name), member]));
    this.members.set(value, frame);
    return frame;
  }
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
