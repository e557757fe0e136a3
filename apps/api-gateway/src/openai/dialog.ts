import { isRecord } from '@lensforge/contracts';
import { type Message, type PromptImage, type ToolAnswer, type ToolCall, isFetchable } from '@lensforge/models';
import { refuse } from './requests.js';

/** The messages of a request: the instructions, and the turns after them. */
export interface Dialog {
  system: string[];
  turns: Message[];
}

const maxMessages = 2000;
const maxImages = 20;

/** Reads the messages of a chat completion. */
export function readMessages(given: unknown, path = 'messages'): Dialog {
  if (!Array.isArray(given)) throw refuse(path, 'must be a list of messages');
  if (given.length > maxMessages) throw refuse(path, `has ${given.length} messages; the limit is ${maxMessages}`);
  const reader = new DialogReader();
  for (const [index, message] of given.entries()) readMessage(reader, message, `${path}.${index}`);
  return reader.end(path);
}

function readMessage(reader: DialogReader, message: unknown, path: string): void {
  if (!isRecord(message)) throw refuse(path, 'must be an object with role and content');
  const { role, content } = message;
  switch (role) {
    case 'system':
    case 'developer':
      return reader.addSystem(readText(content, `${path}.content`));
    case 'user':
      return reader.addUser(readContent(content, `${path}.content`));
    case 'assistant':
      return reader.addAssistant(
        content === undefined || content === null ? '' : readText(content, `${path}.content`),
        readCalls(message['tool_calls'], `${path}.tool_calls`),
      );
    case 'tool': {
      const id = message['tool_call_id'];
      if (typeof id !== 'string') throw refuse(`${path}.tool_call_id`, 'must be the id of a tool call');
      return reader.addResult(id, readText(content, `${path}.content`), path);
    }
    default:
      throw refuse(`${path}.role`, 'must be system, developer, user, assistant or tool');
  }
}

function readCalls(given: unknown, path: string): ToolCall[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw refuse(path, 'must be a list of tool calls');
  return given.map((call: unknown, index): ToolCall => {
    const of = isRecord(call) && isRecord(call['function']) ? call['function'] : undefined;
    if (!isRecord(call) || typeof call['id'] !== 'string' || typeof of?.['name'] !== 'string')
      throw refuse(`${path}.${index}`, 'must have an id and a function with name and arguments');
    return { id: call['id'], name: of['name'], input: readArguments(of['arguments'], `${path}.${index}`) };
  });
}

/** Reads the input of a response: a text, or items. */
export function readInputItems(given: unknown, path = 'input'): Dialog {
  const reader = new DialogReader();
  if (typeof given === 'string') {
    reader.addUser({ text: given, images: [] });
    return reader.end(path);
  }
  if (!Array.isArray(given)) throw refuse(path, 'must be a text or a list of items');
  if (given.length > maxMessages) throw refuse(path, `has ${given.length} items; the limit is ${maxMessages}`);
  for (const [index, item] of given.entries()) readItem(reader, item, `${path}.${index}`);
  return reader.end(path);
}

function readItem(reader: DialogReader, item: unknown, path: string): void {
  if (!isRecord(item)) throw refuse(path, 'must be an object');
  switch (item['type'] ?? 'message') {
    case 'message':
      return readMessage(reader, item, path);
    case 'function_call': {
      const { call_id: id, name } = item;
      if (typeof id !== 'string' || typeof name !== 'string') throw refuse(path, 'must have call_id and name');
      return reader.addAssistant('', [{ id, name, input: readArguments(item['arguments'], path) }]);
    }
    case 'function_call_output': {
      const { call_id: id, output } = item;
      if (typeof id !== 'string') throw refuse(`${path}.call_id`, 'must be the id of a function call');
      return reader.addResult(id, readText(output, `${path}.output`), path);
    }
    case 'reasoning':
      return;
    default:
      throw refuse(`${path}.type`, 'must be message, function_call, function_call_output or reasoning');
  }
}

function readArguments(given: unknown, path: string): unknown {
  if (given === undefined || given === '') return {};
  if (typeof given !== 'string') throw refuse(path, 'must have arguments as a JSON text');
  try {
    return JSON.parse(given) as unknown;
  } catch {
    throw refuse(path, 'must have arguments that are JSON');
  }
}

const textTypes: readonly unknown[] = ['text', 'input_text', 'output_text', 'refusal'];

function readText(content: unknown, path: string): string {
  const { text, images } = readContent(content, path);
  if (images.length > 0) throw refuse(path, 'has an image, which only a message of the user can have');
  return text;
}

interface Content {
  text: string;
  images: PromptImage[];
}

function readContent(content: unknown, path: string): Content {
  if (typeof content === 'string') return { text: content, images: [] };
  if (!Array.isArray(content)) throw refuse(path, 'must be a text or a list of parts');
  const texts: string[] = [];
  const images: PromptImage[] = [];
  for (const [index, part] of content.entries()) {
    const type: unknown = isRecord(part) ? part['type'] : undefined;
    const at = `${path}.${index}`;
    if (isRecord(part) && textTypes.includes(type)) {
      const text = part['text'] ?? part['refusal'];
      if (typeof text !== 'string') throw refuse(`${at}.text`, 'must be a text');
      texts.push(text);
    } else if (isRecord(part) && (type === 'image_url' || type === 'input_image')) {
      images.push(readImage(part['image_url'], `${at}.image_url`));
    } else {
      throw refuse(`${at}.type`, 'must be text, input_text, output_text, image_url or input_image');
    }
  }
  return { text: texts.join('\n\n'), images };
}

const dataUrl = /^data:(image\/(?:png|jpeg|webp|gif));base64,([A-Za-z0-9+/]+={0,2})$/;
const byEnding: Readonly<Record<string, string>> = { png: 'image/png', webp: 'image/webp', gif: 'image/gif' };

function readImage(given: unknown, path: string): PromptImage {
  const url: unknown = isRecord(given) ? given['url'] : given;
  if (typeof url !== 'string') throw refuse(path, 'must be an address');
  const [, mediaType, data] = dataUrl.exec(url) ?? [];
  if (mediaType !== undefined && data !== undefined) return { mediaType, data };
  if (!isFetchable(url))
    throw refuse(
      path,
      'must be an https address without credentials, or data:image/…;base64,… of PNG, JPEG, WebP or GIF',
    );
  const ending = new URL(url).pathname.split('.').at(-1)?.toLowerCase() ?? '';
  return { mediaType: byEnding[ending] ?? 'image/jpeg', url };
}

/** Puts messages together to turns: results of tools that follow each other are one turn. */
class DialogReader {
  private readonly system: string[] = [];
  private readonly turns: Message[] = [];
  private readonly names = new Map<string, string>();
  private images = 0;

  addSystem(text: string): void {
    if (text.trim() !== '') this.system.push(text);
  }

  addUser({ text, images }: Content): void {
    this.images += images.length;
    this.turns.push({ role: 'user', text, ...(images.length > 0 && { images }) });
  }

  addAssistant(text: string, toolCalls: readonly ToolCall[]): void {
    for (const { id, name } of toolCalls) this.names.set(id, name);
    const last = this.turns.at(-1);
    // Items of a response list a text and each call on their own.
    if (last?.role === 'assistant' && text === '' && toolCalls.length > 0)
      this.turns.splice(-1, 1, { ...last, toolCalls: [...last.toolCalls, ...toolCalls] });
    else this.turns.push({ role: 'assistant', text, toolCalls });
  }

  addResult(callId: string, text: string, path: string): void {
    const result: ToolAnswer = { callId, name: this.names.get(callId) ?? '', text, isError: false };
    const last = this.turns.at(-1);
    if (last?.role === 'tool') this.turns.splice(-1, 1, { role: 'tool', results: [...last.results, result] });
    else this.turns.push({ role: 'tool', results: [result] });
    if (callId === '') throw refuse(path, 'must name the tool call that it answers');
  }

  end(path: string): Dialog {
    if (this.images > maxImages) throw refuse(path, `has ${this.images} images; the limit is ${maxImages}`);
    return { system: this.system, turns: this.turns };
  }
}
