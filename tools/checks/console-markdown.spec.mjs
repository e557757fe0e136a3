import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MarkdownText } from '../../apps/console/src/ui/markdown-text.ts';
import { faultsIn, vectors } from '../markdown-vectors.mjs';

describe('the messages in the console', () => {
  it.each(vectors.map((vector) => [vector.name, vector]))('are safe for %s', (_name, vector) => {
    const html = renderToStaticMarkup(createElement(MarkdownText, { text: vector.markdown }));
    const [, contents] = /^<div class="markdown">(.*)<\/div>$/s.exec(html) ?? [];
    expect(contents).toBeDefined();
    expect(faultsIn(contents.replaceAll('<span class="mention">', '<span>'), vector)).toEqual([]);
  });
});
