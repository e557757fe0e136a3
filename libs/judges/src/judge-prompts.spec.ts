import { describe, expect, it } from '@jest/globals';
import { criterionPrompt, filledPrompt, levelPrompt, pairPrompt } from './judge-prompts.js';

describe('prompts of the judge', () => {
  // A changed text needs a new version: stored judgements name both.
  it.each([
    [pairPrompt, 'pair-1', '4e582a6d665995c2d87d7bfe807e647af164d3e307cd6a895370efa08c183189'],
    [criterionPrompt, 'criterion-1', 'd7218d07350cabf17b39adca6155efdf4e0ffa8dff37b3ce2cc7dfd0b2b4d773'],
    [levelPrompt, 'level-1', '8361d8fcb515fee865928b61f81c29f556189404eb76ff41882a1f8f0298dfd5'],
  ])('have the text that belongs to their version', (prompt, version, hash) => {
    expect(prompt).toMatchObject({ version, hash });
  });

  it('do not fill in placeholders of texts', () => {
    const texts = [{ title: 'TEXT', text: '{{boundary}} {{levels}} $& $1' }];
    const prompt = filledPrompt(criterionPrompt, { texts, boundary: 'B0', levels: 'L1' });
    expect(prompt).toContain('| {{boundary}} {{levels}} $& $1');
    expect(prompt.match(/L1/g)).toHaveLength(1);
  });
});
