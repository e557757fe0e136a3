import { type ReactNode, createElement, useMemo } from 'react';
import { type Block, type Inline, parseMarkdown } from './markdown';

/** Markdown of anybody as elements. It contains no markup of the text, and links name no referrer. */
export function MarkdownText({ text }: { text: string }): ReactNode {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return createElement('div', { className: 'markdown' }, blocks.map(blockView));
}

function blockView(block: Block, key: number): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return createElement('p', { key }, block.children.map(inlineView));
    case 'heading':
      // A message is no part of the outline of the view, so that its headings are bold paragraphs.
      return createElement('p', { key }, createElement('strong', {}, block.children.map(inlineView)));
    case 'code':
      return createElement('pre', { key }, createElement('code', {}, block.text));
    case 'quote':
      return createElement('blockquote', { key }, block.children.map(blockView));
    case 'rule':
      return createElement('hr', { key });
    case 'list': {
      const items = block.items.map((each, at) => createElement('li', { key: at }, each.map(itemView)));
      return block.start === undefined
        ? createElement('ul', { key }, items)
        : createElement('ol', { key, start: block.start }, items);
    }
  }
}

const itemView = (block: Block, key: number): ReactNode =>
  block.kind === 'paragraph' ? createElement('span', { key }, block.children.map(inlineView)) : blockView(block, key);

function inlineView(part: Inline, key: number): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return createElement('code', { key }, part.text);
    case 'break':
      return createElement('br', { key });
    case 'mention':
      return createElement('span', { key, className: 'mention' }, `@${part.handle}`);
    case 'strong':
    case 'em':
    case 'del':
      return createElement(part.kind, { key }, part.children.map(inlineView));
    case 'link':
      return createElement(
        'a',
        { key, href: part.href, rel: 'noopener noreferrer nofollow', target: '_blank' },
        part.children.map(inlineView),
      );
  }
}
