import { convertBraces } from '../braces.js';
import { isRecord } from '../eval/config-source.js';
import type { Notes } from './plan.js';

const minLength = 50;

/** Texts with {{name}} as the template of a lens. */
export class TemplateReader {
  constructor(
    private readonly notes: Notes,
    private readonly where: string,
  ) {}

  /** {{name}} becomes [[name]]; anything else between braces stays as a text and is noted. */
  convert(text: string): string {
    return convertBraces(text, {
      name: /^[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,79}$/u,
      toTag: (name) => `[[${name}]]`,
      refuse: (what, tag) => {
        const why = what === 'statement' ? 'lenses have sections' : 'only names of variables are taken';
        this.notes.leaveOut(this.where, `${what === 'statement' ? `a statement ${tag}` : tag} stays as a text: ${why}`);
      },
    });
  }

  /** A template of the length that lenses have. */
  finish(template: string): string {
    if (template.length >= minLength) return template;
    this.notes.approximate(this.where, `has ${template.length} characters: line breaks follow up to ${minLength}`);
    return template.padEnd(minLength, '\n');
  }

  /** Messages of a conversation as one template; undefined when none can be taken. */
  convertMessages(messages: readonly unknown[]): string | undefined {
    const parts = messages.flatMap((message, at) => this.convertMessage(message, at));
    if (!parts.some(({ role }) => role === 'user')) {
      const [last] = parts.slice(-1);
      if (!last || last.role === 'assistant') return undefined;
      this.notes.approximate(this.where, `has no message of the user: the last one of the ${last.role} became it`);
      last.role = 'user';
    }
    // The messages of the system come first.
    const ordered = [
      ...parts.filter(({ role }) => role === 'system'),
      ...parts.filter(({ role }) => role !== 'system'),
    ];
    return this.finish(ordered.map(({ role, text }) => `[[@${role}]]\n${text}`).join('\n'));
  }

  private convertMessage(message: unknown, at: number): { role: string; text: string }[] {
    const where = `message ${at + 1}`;
    if (!isRecord(message)) {
      this.notes.leaveOut(this.where, `${where} has no role and content`);
      return [];
    }
    if (message['type'] === 'placeholder') return [this.placeHistory(String(message['name']), where)];
    const role = roles[String(message['role'])];
    if (role === undefined) {
      this.notes.leaveOut(this.where, `${where} has the role ${String(message['role'])}`);
      return [];
    }
    for (const name of ['tool_calls', 'function_call', 'audio', 'name']) {
      if (message[name] !== undefined) this.notes.leaveOut(this.where, `${where}: ${name}`);
    }
    const text = this.readContent(message['content'], where);
    return text.trim() === '' ? [] : [{ role, text: this.convert(text) }];
  }

  private placeHistory(name: string, where: string): { role: string; text: string } {
    if (name !== 'history') this.notes.approximate(this.where, `${where}: the placeholder ${name} is given as history`);
    return { role: 'user', text: '[[history]]' };
  }

  /** The text of a content, which can be a list of parts. */
  private readContent(content: unknown, where: string): string {
    if (typeof content === 'string') return content;
    return (Array.isArray(content) ? (content as unknown[]) : [])
      .flatMap((part) => {
        if (isRecord(part) && typeof part['text'] === 'string') return [part['text']];
        this.notes.leaveOut(
          this.where,
          `${where}: a part of the type ${isRecord(part) ? String(part['type']) : typeof part}`,
        );
        return [];
      })
      .join('\n');
  }
}

const roles: Readonly<Record<string, string>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
};
