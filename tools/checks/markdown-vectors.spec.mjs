import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { faultsIn, vectors } from '../markdown-vectors.mjs';

const escaped = (text) => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
const asText = (markdown) => `<p>${escaped(markdown)}</p>`;
const links = (address) => (markdown) =>
  `<p>${escaped(markdown).replace(/\[([^\]]*)\]\(([^\s)]*)[^)]*\)/g, (_, text, to) => address(text, to))}</p>`;

/** The names of the vectors that a renderer does not pass. */
const failing = (render) =>
  vectors.filter((vector) => faultsIn(render(vector.markdown), vector).length > 0).map(({ name }) => name);

describe('the vectors for rendering messages', () => {
  it('have unique names and texts that fit in a message', () => {
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
    expect(vectors.length).toBeGreaterThan(50);
    for (const { markdown } of vectors) expect(markdown.length).toBeLessThan(16_000);
  });

  it('are passed by plain text', () => {
    expect(failing(asText)).toEqual([]);
  });

  it('are not passed by a renderer that lets HTML through', () => {
    const names = failing((markdown) => `<p>${markdown}</p>`);
    for (const name of ['a script element', 'an image with a handler', 'a comment that hides an element', 'a form']) {
      expect(names).toContain(name);
    }
  });

  it('are not passed by a renderer that removes script elements alone', () => {
    const names = failing((markdown) => `<p>${markdown.replace(/<\/?script[^>]*>/g, '')}</p>`);
    for (const name of ['a frame', 'inline HTML', 'a handler after a slash']) expect(names).toContain(name);
  });

  it('are not passed by links of every scheme, nor by a check that reads no entities', () => {
    const all = failing(links((text, to) => `<a href="${to}">${text}</a>`));
    for (const name of ['a javascript link', 'a vbscript link', 'a data link', 'a file link']) {
      expect(all).toContain(name);
    }
    const unchecked = (text, to) =>
      to.startsWith('javascript:') ? text : `<a href="${to.replaceAll('&#38;', '&')}">${text}</a>`;
    expect(failing(links(unchecked))).toContain('a javascript link with entities');
    expect(failing(links(unchecked))).toContain('a javascript link in capitals');
  });

  it('are not passed by an unquoted attribute', () => {
    expect(faultsIn('<a href=javascript:alert(1)>x</a>', {})).not.toEqual([]);
    expect(faultsIn('<p>a < b</p>', {})).not.toEqual([]);
    expect(faultsIn('<a href="https://example.org/">x</a>', {})).toEqual(['the address https://example.org/']);
    expect(faultsIn('<a href="https://example.org/">x</a>', { links: ['https://example.org/'] })).toEqual([]);
  });

  it('can be run with a command', () => {
    const script = fileURLToPath(new URL('../markdown-vectors.mjs', import.meta.url));
    const run = (...command) => spawnSync(process.execPath, [script, ...command], { encoding: 'utf8' });
    const unsafe = run('--', 'cat');
    expect([unsafe.status, unsafe.stderr]).toEqual([
      1,
      expect.stringContaining('a script element: the element script'),
    ]);
    expect(run('--', 'true')).toMatchObject({ status: 0, stdout: expect.stringContaining('are rendered safely') });
    expect(run().status).toBe(2);
  });
});
