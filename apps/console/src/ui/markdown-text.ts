import MarkdownIt, { type Token } from 'markdown-it';
import { type ReactNode, createElement, useMemo } from 'react';

/** Characters that browsers drop from an address, or that change its order on the screen. */
const unsafeCharacters = /[\u0000-\u0020\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\\]/;

/** True if the scheme of an address runs nothing. */
export const isSafeAddress = (address: string): boolean =>
  !unsafeCharacters.test(address) && /^(?:https?:\/\/[^/]|mailto:)/i.test(address);

// HTML, images and links that are not safe are text.
const parser = new MarkdownIt({ breaks: true }).disable(['image', 'reference']);
parser.validateLink = isSafeAddress;

/** Markdown of anybody as elements. It contains no markup of the text, and links name no referrer. */
export function MarkdownText({ text }: { text: string }): ReactNode {
  const parts = useMemo(() => toParts(parser.parse(text, {})), [text]);
  return createElement('div', { className: 'markdown' }, ...parts);
}

interface Open {
  token?: Token;
  parts: ReactNode[];
}

function toParts(tokens: readonly Token[]): ReactNode[] {
  const root: Open = { parts: [] };
  const open = [root];
  for (const token of tokens) {
    const { token: outer, parts } = open.at(-1) ?? root;
    if (token.nesting === 1) open.push({ token, parts: [] });
    else if (token.nesting === 0) parts.push(...toLeaves(token, outer?.type === 'link_open'));
    else {
      open.pop();
      open.at(-1)?.parts.push(...(outer ? toElements(outer, parts) : []));
    }
  }
  return root.parts;
}

function toElements(token: Token, parts: readonly ReactNode[]): ReactNode[] {
  switch (token.type) {
    // A message is no part of the outline of the view, so that its headings are bold paragraphs.
    case 'heading_open':
      return [createElement('p', {}, createElement('strong', {}, ...parts))];
    case 'link_open':
      return [toLink(String(token.attrGet('href')), ...parts)];
    case 'ordered_list_open':
      return [createElement('ol', { start: token.attrGet('start') ?? undefined }, ...parts)];
    default:
      return token.hidden ? [...parts] : [createElement(token.tag, {}, ...parts)];
  }
}

function toLeaves({ type, content, children }: Token, isInLink: boolean): ReactNode[] {
  switch (type) {
    case 'inline':
      return toParts(children ?? []);
    case 'text':
      return isInLink ? [content] : toMarked(content);
    case 'code_inline':
      return [createElement('code', {}, content)];
    case 'code_block':
    case 'fence':
      return [createElement('pre', {}, createElement('code', {}, content.replace(/\n$/, '')))];
    case 'softbreak':
    case 'hardbreak':
      return [createElement('br')];
    case 'hr':
      return [createElement('hr')];
    default:
      return [content];
  }
}

const toLink = (href: string, ...parts: ReactNode[]): ReactNode =>
  createElement('a', { href, rel: 'noopener noreferrer nofollow', target: '_blank' }, ...parts);

/** Mentions and bare addresses. Within a word, as in an address of mail, there is no mention; within HTML no address. */
const marked = /((?<![\w@])@[a-z0-9_-]{3,64}|(?<!\S)https?:\/\/[^\s<>"'`()[\]]{1,2000}[^\s<>"'`()[\].,:;!?*_~])/i;

const toMarked = (text: string): ReactNode[] =>
  text.split(marked).map((part, at) => {
    if (at % 2 === 0) return part;
    return part.startsWith('@') ? createElement('span', { className: 'mention' }, part) : toAddress(part);
  });

const toAddress = (text: string): ReactNode => (isSafeAddress(text) ? toLink(text, text) : text);
