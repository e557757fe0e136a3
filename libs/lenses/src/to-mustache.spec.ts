import { describe, expect, it } from '@jest/globals';
import { ParsedTemplate } from './template.js';
import { toMustache } from './to-mustache.js';

describe('a template in Mustache', () => {
  it.each([
    ['values', 'Greet [[Full name]] from [[Town!]].', 'Greet {{Full name}} from {{Town}}.'],
    [
      'sections',
      'A [[#items]]- [[.]] [[/items]][[^items]]none[[/items]]',
      'A {{#items}}- {{.}} {{/items}}{{^items}}none{{/items}}',
    ],
    ['escaped brackets', String.raw`Write \[[x]] so`, 'Write [[x]] so'],
  ])('has its %s', (_, text, expected) => expect(toMustache(new ParsedTemplate(text))).toBe(expected));

  it('has its messages, and the place of earlier ones', () => {
    const text = '[[@system]]\nBe [[Tone]].\n[[@user]]\n[[history]]\n[[@user]]\nAnswer [[Question]]';
    expect(toMustache(new ParsedTemplate(text))).toEqual([
      { role: 'system', content: 'Be {{Tone}}.' },
      'history',
      { role: 'user', content: 'Answer {{Question}}' },
    ]);
  });
});
