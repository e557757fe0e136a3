import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { insertId, readLensFile, writeLensFile } from './lens-file.js';

const lens = {
  id: '01a20a0f-b253-769e-acca-384d5af7568c',
  title: 'Order reply',
  description: 'Answers a customer: kindly',
  tags: ['orders', 'mail'],
  visibility: 'private' as const,
  settings: { models: ['openai/gpt-6-sol'], sampling: { temperature: 0.2, stop: ['END'] } },
  templateBody: 'Write to [[Customer]].\n[[#Items]]\n- [[title]]\n[[/Items]]',
};
const file = `---
id: 01a20a0f-b253-769e-acca-384d5af7568c
title: Order reply
description: "Answers a customer: kindly"
tags:
  - orders
  - mail
visibility: private
settings:
  models:
    - openai/gpt-6-sol
  sampling:
    temperature: 0.2
    stop:
      - END
---
Write to [[Customer]].
[[#Items]]
- [[title]]
[[/Items]]
`;

describe('the file of a lens', () => {
  it('has its settings as front matter, and its text', async () => {
    expect(await writeLensFile(lens)).toBe(file);
    expect(await readLensFile(file, 'lens.md')).toEqual(lens);
  });

  it('gives the same lens and the same bytes, 2,000 times', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom(
        '---',
        '---\n',
        '\n---\n',
        'yes',
        'null',
        '1.0',
        '2026-11-27',
        '- a',
        '# b',
        "'",
        '"',
        '\r\n',
        '\t',
      ),
    );
    const settings = fc.record(
      {
        outputSchema: fc.dictionary(text, fc.jsonValue(), { maxKeys: 4, noNullPrototype: true }),
        models: fc.array(text, { minLength: 1, maxLength: 3 }),
        sampling: fc.record({
          temperature: fc.double({ min: 0, max: 2, noNaN: true }).map((value) => value + 0),
          stop: fc.array(text, { minLength: 1, maxLength: 2 }),
        }),
        mayOverride: fc.subarray(['model' as const, 'sampling' as const], { minLength: 1 }),
      },
      { requiredKeys: ['models'] },
    );
    const anyLens = fc.record(
      {
        id: fc.uuid(),
        title: text.filter((title) => title !== ''),
        description: text,
        tags: fc.array(text, { maxLength: 4 }),
        visibility: fc.constantFrom('private' as const, 'community' as const, 'public' as const),
        settings: fc.option(settings),
        templateBody: fc.array(text, { maxLength: 6 }).map((parts) => parts.join('\n')),
      },
      { requiredKeys: ['title', 'description', 'tags', 'settings', 'templateBody'] },
    );
    await fc.assert(
      fc.asyncProperty(anyLens, async (any) => {
        const written = await writeLensFile(any);
        const read = await readLensFile(written, 'lens.md');
        expect(JSON.stringify(read.settings)).toBe(JSON.stringify(any.settings));
        expect({ ...read, settings: null }).toEqual({ ...any, settings: null });
        expect(await writeLensFile(read)).toBe(written);
      }),
      { numRuns: 2000 },
    );
  });

  it('is read with the line breaks of Windows, and without a line break at its end', async () => {
    expect(await readLensFile(file.replaceAll('\n', '\r\n'), 'lens.md')).toEqual(lens);
    expect(await readLensFile(file.trimEnd(), 'lens.md')).toEqual(lens);
    expect(await readLensFile('---\ntitle: T\n---\n', 'lens.md')).toEqual({
      title: 'T',
      description: '',
      tags: [],
      settings: null,
      templateBody: '',
    });
  });

  it('gets the id of a new lens and keeps the rest, with comments', () => {
    const content = '---\n# of the shop\ntitle:   T\n---\ntext\n';
    expect(insertId(content, 'ID')).toBe('---\nid: ID\n# of the shop\ntitle:   T\n---\ntext\n');
    expect(insertId('---\r\ntitle: T\r\n---\r\n', 'ID')).toBe('---\r\nid: ID\r\ntitle: T\r\n---\r\n');
  });

  it.each([
    ['no front matter', 'Write to [[Name]]', 'must begin with front matter'],
    ['an open front matter', '---\ntitle: T\n', 'must begin with front matter'],
    ['broken YAML', '---\ntitle: [\n---\n', 'is not valid YAML'],
    ['a list', '---\n- a\n---\n', 'must have members'],
    ['no title', '---\nid: x\n---\n', 'title must be a text'],
    ['a number as its title', '---\ntitle: 1\n---\n', 'title must be a text'],
    ['an unknown member', '---\ntitle: T\nmodel: x\n---\n', 'model is not known'],
    ['wrong tags', '---\ntitle: T\ntags: a\n---\n', 'tags must be a list'],
    ['wrong settings', '---\ntitle: T\nsettings: [a]\n---\n', 'settings must have members'],
    ['a wrong visibility', '---\ntitle: T\nvisibility: secret\n---\n', 'visibility must be one of'],
  ])('is refused with %s', async (_, content, message) => {
    await expect(readLensFile(content, 'a.md')).rejects.toThrow(`a.md: `);
    await expect(readLensFile(content, 'a.md')).rejects.toThrow(message);
  });
});
