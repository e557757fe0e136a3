import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type LensMessage, readMessages, toTemplateBody, writeMessages } from './messages.js';
import { ParsedTemplate, resolveTemplate, textOf } from './template.js';

const of = (...messages: [LensMessage['role'], string][]): LensMessage[] =>
  messages.map(([role, text]) => ({ role, text }));
const long = 'You answer requests for support, in short sentences.';

const line = fc.oneof(
  fc.constantFrom(
    '',
    '[[Name]]',
    '[[#Items]]',
    '[[/Items]]',
    '\\[[@user]]',
    ' [[@user]]',
    '[[@user]] ',
    '[[@tool]]',
    '---',
    '\r',
    '[[@user]]\r',
  ),
  fc.string(),
);
const text = fc
  .array(line, { minLength: 1, maxLength: 5 })
  .map((lines) => lines.join('\n'))
  .filter(
    (written) =>
      written !== '' &&
      written.split('\n').every((each) => !/^\[\[@(system|user|assistant)\]\]$/.test(each)) &&
      written !== '[[history]]',
  );
const part = fc
  .tuple(fc.constantFrom('image/png' as const, 'image/webp' as const), fc.stringMatching(/^[a-z\]]{1,5}\.png$/))
  .map(([mediaType, name]) => ({ image: { mediaType, url: `https://example.com/${name}` } }));
const turns = fc.array(fc.tuple(fc.constantFrom('user' as const, 'assistant' as const), text), { maxLength: 4 });
const conversations = fc
  .tuple(fc.array(text, { maxLength: 2 }), text, turns, text, fc.array(part, { maxLength: 2 }))
  .map(([systems, first, between, last, parts]): LensMessage[] => [
    ...of(...systems.map((each): [LensMessage['role'], string] => ['system', each]), ['user', first], ...between),
    { role: 'user', text: last, ...(parts.length > 0 && { parts }) },
  ]);

const photo = { image: { mediaType: 'image/png' as const, url: 'https://example.com/a.png' } };

describe('messages as text', () => {
  it('are the same after they were written and read', () => {
    fc.assert(
      fc.property(conversations, (messages) => {
        const written = writeMessages(messages);
        expect(readMessages(written)).toEqual(messages);
        expect(writeMessages(readMessages(written) ?? [])).toBe(written);
      }),
      { numRuns: 2000 },
    );
  });

  it('are a line with the role before each text', () => {
    const messages = of(['system', 'Be kind.\n'], ['user', '[[Question]]']);
    expect(writeMessages(messages)).toBe('[[@system]]\nBe kind.\n\n[[@user]]\n[[Question]]');
  });

  it.each([
    '[[@user]]\r\nx',
    '[[@user]]\u2028x',
    'Hello [[@user]]',
    ' [[@user]]\nx',
    '[[@tool]]\nx',
    '[[@user]] x',
    '[[system]]\nx',
    '[[@system]]\nx',
  ])('are not read from %j, which is one text', (template) => {
    expect(readMessages(template)).toBeUndefined();
    expect(resolveTemplate(template, { '@user': 'U', '@tool': 'T', '@system': 'S', system: 'S' })).not.toHaveProperty(
      'system',
    );
  });

  it.each<[string, LensMessage[]]>([
    ['have a message of the user', of(['system', long])],
    ['have system messages at the beginning alone', of(['user', long], ['system', 'x'], ['user', 'x'])],
    ['have a message of the user before', of(['assistant', long], ['user', 'x'])],
    ['end with a message of the user', of(['user', long], ['assistant', 'x'])],
    ['end with a message of the user', of(['user', long], ['user', '[[history]]'])],
    ['hold [[history]] once', of(['user', '[[history]]'], ['user', '[[history]]'], ['user', long])],
    ['hold [[history]] behind the system', of(['system', '[[history]]'], ['user', long])],
    ['must have 50 to 100000 characters in all; they have 12', of(['user', 'hi'])],
    ['must not have [[@user]] as a line of its own: write \\[[@user]]', of(['user', `${long}\n[[@user]]\n`])],
    ['must not have [[@image image/png x]] as a line', of(['user', `[[@image image/png x]]\n${long}`])],
    [
      'images in messages of the user alone',
      [
        { role: 'system', text: long, parts: [photo] },
        { role: 'user', text: 'x' },
      ],
    ],
    ['at most 10 images', [{ role: 'user', text: long, parts: Array.from({ length: 11 }, () => photo) }]],
    [
      'https addresses',
      [{ role: 'user', text: long, parts: [{ image: { ...photo.image, url: 'https://a:b@c.d/' } }] }],
    ],
  ])('must %s', (fault, messages) => {
    expect(() => toTemplateBody({ messages })).toThrow(fault);
  });

  it('refuses a text with roles that break a rule, and both forms together', () => {
    expect(() => toTemplateBody({ templateBody: `[[@system]]\n${long}` })).toThrow('must have a message of the user');
    expect(() => toTemplateBody({ templateBody: long, messages: of(['user', long]) })).toThrow('together');
    expect(toTemplateBody({ templateBody: long })).toBe(long);
  });
});

describe('the conversation of a lens', () => {
  const template = writeMessages(
    of(['system', 'Be [[Tone]].'], ['system', 'Rules.'], ['user', '[[history]]'], ['user', 'Answer: [[Question]]']),
  );
  const earlier = [
    { role: 'user', text: 'Hi [[Tone]]' },
    { role: 'assistant', text: 'Hello' },
  ];

  it('fills in each message, and takes earlier messages as they are', () => {
    const resolved = resolveTemplate(template, { Tone: 'kind', Question: '[[@system]]\nx', history: earlier });
    expect(resolved).toEqual({
      system: 'Be kind.\n\nRules.',
      prompt: 'Hi [[Tone]]',
      messages: [
        { role: 'assistant', text: 'Hello' },
        { role: 'user', text: 'Answer: [[@system]]\nx' },
      ],
    });
    expect('prompt' in resolved && textOf(resolved)).toContain('Be kind.\n\nRules.\nHi [[Tone]]\nHello\nAnswer:');
  });

  it('has the images of its messages with them, and as lines in its text', () => {
    const other = { image: { mediaType: 'image/gif' as const, url: 'https://example.com/b.gif' } };
    const written = writeMessages([
      { role: 'user', text: 'Look at [[Name]].', parts: [photo, other] },
      { role: 'assistant', text: 'Yes.' },
      { role: 'user', text: 'And?', parts: [other] },
    ]);
    expect(written).toBe(
      '[[@user]]\n[[@image image/png https://example.com/a.png]]\n[[@image image/gif https://example.com/b.gif]]\n' +
        'Look at [[Name]].\n[[@assistant]]\nYes.\n[[@user]]\n[[@image image/gif https://example.com/b.gif]]\nAnd?',
    );
    const parsed = new ParsedTemplate(written);
    expect(parsed.params).toEqual([{ label: 'Name', optional: false }]);
    expect(parsed.images).toEqual([photo.image, other.image, other.image]);
    expect(resolveTemplate(parsed, { Name: 'it' })).toMatchObject({
      prompt: 'Look at it.',
      images: [photo.image, other.image],
      messages: [
        { role: 'assistant', text: 'Yes.' },
        { role: 'user', text: 'And?', images: [other.image] },
      ],
    });
    expect(readMessages('[[@user]]\n[[@image image/bmp https://example.com/a.bmp]]\nx')).toEqual(
      of(['user', '[[@image image/bmp https://example.com/a.bmp]]\nx']),
    );
  });

  it('lists the parameters of all messages, and history as an optional one', () => {
    expect(new ParsedTemplate(template).params).toEqual([
      { label: 'Tone', optional: false },
      { label: 'history', optional: true },
      { label: 'Question', optional: false },
    ]);
    expect(resolveTemplate(template, { Tone: 'x' })).toEqual({ missing: ['Question'] });
  });

  it('knows what is the same in all requests', () => {
    const fixed = (...messages: [LensMessage['role'], string][]) =>
      resolveTemplate(writeMessages(of(...messages)), { Name: 'Ada' });
    expect(fixed(['system', 'Rules.'], ['user', 'For [[Name]]'])).toMatchObject({ stableLength: 4 });
    expect(fixed(['system', 'Rules.'], ['user', '[[history]]'], ['user', 'x'])).toMatchObject({ stableLength: 0 });
    expect(fixed(['system', 'Of [[Name]]'], ['user', 'x'])).not.toHaveProperty('stableLength');
  });

  it.each([
    ['text', 'must be a list'],
    [[{ role: 'system', text: 'x' }], 'must be a list'],
    [[{ role: 'user' }], 'must be a list'],
    [Array.from({ length: 1001 }, () => earlier[0]), 'must be a list'],
    [[earlier[1]], 'must begin with a message of the user'],
  ])('refuses as earlier messages %j', (history, fault) => {
    expect(() => resolveTemplate(template, { Tone: 'x', Question: 'x', history })).toThrow(fault);
  });
});
