import { type LensMessagePart, type MessageRole, imageTypes, messageRoles } from '@lensforge/contracts';
import { badInput } from '@lensforge/core';
import { isFetchable } from '@lensforge/models';

/** A part of a conversation as its lens writes it: a role, a template for its text, and images that each request has. */
export interface LensMessage {
  role: MessageRole;
  text: string;
  parts?: LensMessagePart[];
}

/** A message with this text stands for the earlier messages that a request gives. */
const history = '[[history]]';
export const isHistory = ({ text }: Pick<LensMessage, 'text'>): boolean => text === history;

/** Lines end with a line feed alone, so that reading and writing are inverse. */
const roleLine = new RegExp(`(?<=^|\\n)\\[\\[@(${messageRoles.join('|')})\\]\\](?=\\n|$)`, 'g');
const imageLine = new RegExp(`^\\[\\[@image (${imageTypes.join('|')}) (\\S+)\\]\\]\\n`);

/** The lines before the text of a message. */
export const headOf = ({ role, parts = [] }: Omit<LensMessage, 'text'>): string =>
  [`@${role}`, ...parts.map(({ image: { mediaType, url } }) => `@image ${mediaType} ${url}`)]
    .map((line) => `[[${line}]]\n`)
    .join('');

const minText = 50;
const maxText = 100_000;

/** The text of messages: a line `[[@role]]` before each, and one for each image. `readMessages` reads the same from it. */
export const writeMessages = (messages: readonly LensMessage[]): string =>
  messages.map((message) => headOf(message) + message.text).join('\n');

/** The messages in a text that begins with a line `[[@role]]`; undefined for another text. */
export function readMessages(text: string): LensMessage[] | undefined {
  const found = splitMessages(text);
  return found && faultInMessages(found) === undefined ? found : undefined;
}

function splitMessages(text: string): LensMessage[] | undefined {
  if (!text.startsWith('[[@')) return undefined;
  const lines = [...text.matchAll(roleLine)];
  if (lines[0]?.index !== 0) return undefined;
  return lines.map(({ 0: line, 1: role, index }, at) => ({
    role: role as MessageRole,
    ...splitImages(text.slice(index + line.length + 1, (lines[at + 1]?.index ?? text.length + 1) - 1)),
  }));
}

/** The images in the first lines of a message, and the text behind them. */
function splitImages(body: string): Omit<LensMessage, 'role'> {
  const parts: LensMessagePart[] = [];
  let text = body;
  for (let line = imageLine.exec(text); line; line = imageLine.exec(text)) {
    const [whole, mediaType, url = ''] = line;
    parts.push({ image: { mediaType: mediaType as (typeof imageTypes)[number], url } });
    text = text.slice(whole.length);
  }
  return parts.length > 0 ? { text, parts } : { text };
}

const maxImages = 10;

/** A rule that a list of messages breaks: which one, and how to mend it. */
function faultInMessages(messages: readonly LensMessage[]): string | undefined {
  const firstTurn = messages.findIndex(({ role }) => role !== 'system');
  const turns = messages.slice(firstTurn);
  if (firstTurn === -1) return 'must have a message of the user';
  if (turns.some(({ role }) => role === 'system')) return 'must have system messages at the beginning alone';
  if (turns.filter(isHistory).length > 1) return `must hold ${history} once at most`;
  const [first] = turns;
  const last = turns.at(-1);
  if (first && !isHistory(first) && first.role !== 'user')
    return 'must have a message of the user before those of the assistant';
  if (last && (isHistory(last) || last.role !== 'user')) return 'must end with a message of the user';
  if (messages.some(({ role, ...message }) => role === 'system' && isHistory(message)))
    return `must hold ${history} behind the system messages`;
  if (messages.some(({ text }) => text === '')) return 'must have a text in each message';
  const images = messages.flatMap(({ parts = [] }) => parts);
  if (messages.some((message) => message.parts && (message.role !== 'user' || isHistory(message))))
    return 'must have images in messages of the user alone';
  if (images.length > maxImages) return `must have at most ${maxImages} images`;
  const unreadable = images.find(({ image: { url } }) => !isFetchable(url));
  return (
    unreadable && `must have https addresses without credentials for images, not ${unreadable.image.url.slice(0, 200)}`
  );
}

/** The text of a lens as it is stored, from a request with a text or with messages. */
export function toTemplateBody({
  templateBody,
  messages,
}: {
  templateBody?: string | undefined;
  messages?: readonly LensMessage[] | undefined;
}): string | undefined {
  if (messages === undefined) {
    const fault = templateBody === undefined ? undefined : faultInMessages(splitMessages(templateBody) ?? plain);
    if (fault !== undefined) throw badInput('templateBody', `begins with the line of a role, and ${fault}`);
    return templateBody;
  }
  if (templateBody !== undefined) throw badInput('messages', 'cannot be given together with templateBody');
  for (const [index, { text }] of messages.entries()) {
    const [line] = text.match(roleLine) ?? imageLine.exec(text)?.map((whole) => whole.trimEnd()) ?? [];
    if (line !== undefined)
      throw badInput(`messages.${index}.text`, `must not have ${line} as a line of its own: write \\${line}`);
  }
  const fault = faultInMessages(messages);
  if (fault !== undefined) throw badInput('messages', fault);
  const text = writeMessages(messages);
  if (text.length >= minText && text.length <= maxText) return text;
  throw badInput('messages', `must have ${minText} to ${maxText} characters in all; they have ${text.length}`);
}

const plain: readonly LensMessage[] = [{ role: 'user', text: 'plain' }];
