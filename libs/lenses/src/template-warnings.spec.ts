import { describe, expect, it } from '@jest/globals';
import { listTemplateWarnings } from './template-warnings.js';

const rules = 'Answer in the voice of the house, and never promise a date. '.repeat(100);

describe('listTemplateWarnings', () => {
  it('names the parameter that ends the cacheable part, its token, and the tokens behind it', async () => {
    const [warning, ...more] = await listTemplateWarnings(`Hello [[ Name! ]]. ${rules}[[Question]]`);
    expect(more).toEqual([]);
    expect(warning).toMatch(
      /^\[\[Name\]\] at token 2 ends the part .* about 1[345]\d\d tokens of fixed text behind it/,
    );
  });

  it('names section tags without their counterparts', async () => {
    expect(await listTemplateWarnings('[[#Items]]- [[.]][[/Item]]')).toEqual([
      expect.stringMatching(/^\[\[#Items\]\] is a parameter .* no \[\[\/Items\]\] behind it/),
      expect.stringMatching(/^\[\[\/Item\]\] is a parameter .* no \[\[#Item\]\] before it/),
    ]);
    expect(await listTemplateWarnings('[[#Items]]- [[.]][[/Items]][[^Items]]None[[/items]]')).toEqual([]);
  });

  it.each([
    ['its fixed text comes first', `${rules}[[Name]] asks: [[Question]]`],
    ['little fixed text follows', `[[Name]] ${rules.slice(0, 4000)}`],
    ['it has no parameter', rules],
    ['it is short', 'Hello [[Name]], how are you?'],
  ])('is silent about a template when %s', async (_, template) => {
    expect(await listTemplateWarnings(template)).toEqual([]);
  });
});
