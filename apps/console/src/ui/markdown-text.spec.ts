import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MarkdownText, isSafeAddress } from './markdown-text';

const html = (text: string): string =>
  renderToStaticMarkup(createElement(MarkdownText, { text })).replace(/^<div class="markdown">|<\/div>$/g, '');

describe('the rendering of a message', () => {
  it('has the usual parts', () => {
    expect(html('# Title\n\nA *text* with `code`, **bold** and a [link](https://example.org/a?b=1&c=2 "T").')).toBe(
      '<p><strong>Title</strong></p><p>A <em>text</em> with <code>code</code>, <strong>bold</strong> and a ' +
        '<a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer nofollow" target="_blank">link</a>.</p>',
    );
    expect(html('- one\n- two\n  - inner\n\n> quote\n\n```js\nalert(1)\n```\n---')).toBe(
      '<ul><li>one</li><li>two<ul><li>inner</li></ul></li></ul>' +
        '<blockquote><p>quote</p></blockquote><pre><code>alert(1)</code></pre><hr/>',
    );
    expect(html('3. three\n4. four')).toBe('<ol start="3"><li>three</li><li>four</li></ol>');
    expect(html('| a | b |\n| - | - |\n| 1 | *2* |')).toBe(
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><em>2</em></td></tr></tbody></table>',
    );
    expect(html('one\ntwo ~~three~~')).toBe('<p>one<br/>two <s>three</s></p>');
  });

  it('makes links of bare addresses', () => {
    const link =
      '<a href="https://example.org/a" rel="noopener noreferrer nofollow" target="_blank">https://example.org/a</a>';
    expect(html('See https://example.org/a.')).toBe(`<p>See ${link}.</p>`);
  });

  it('marks mentions, and not addresses of mail', () => {
    expect(html('Thank you, @carol. Not me@example.org')).toBe(
      '<p>Thank you, <span class="mention">@carol</span>. Not me@example.org</p>',
    );
  });

  it('leaves names with underscores and unfinished marks as they are', () => {
    expect(html('task_prompt and run_lens, 2 * 3 * 4, **open')).toBe(
      '<p>task_prompt and run_lens, 2 * 3 * 4, **open</p>',
    );
  });

  it('reads hostile texts of the greatest length in little time', () => {
    for (const part of ['*', '**a', '`', '[', '[a](', '> ', '- ', '_a', '~~', '1. ', ' \n', '\\', '@', 'https://']) {
      const text = part.repeat(Math.floor(16_000 / part.length));
      expect(() => html(text)).not.toThrow();
    }
  });
});

it('gives links to pages and mail alone', () => {
  for (const address of ['https://example.org/?a=1&b=2', 'mailto:ada@example.org'])
    expect([address, isSafeAddress(address)]).toEqual([address, true]);
  for (const address of [
    'javascript:alert(1)',
    '//example.org',
    '/v1/me',
    'https://a\u202eb',
    'java\tscript:x',
    'https:\\x',
  ]) {
    expect([address, isSafeAddress(address)]).toEqual([address, false]);
  }
});
