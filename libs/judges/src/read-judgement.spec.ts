import { describe, expect, it } from '@jest/globals';
import { choiceSchema, levelSchema } from './judge-schemas.js';
import { readJudgement } from './read-judgement.js';

const read = (text: string): ReturnType<typeof readJudgement> => readJudgement(text, choiceSchema, 'choice');
const answer = (value: unknown): string => JSON.stringify(value);

describe('readJudgement', () => {
  it('reads an answer by its schema', () => {
    expect(read(answer({ reasoning: 'Both are fine.', choice: 'tie' }))).toEqual({
      reasoning: 'Both are fine.',
      value: 'tie',
    });
    expect(readJudgement(answer({ reasoning: '', level: 'B2' }), levelSchema(['A1', 'B2']), 'level')).toEqual({
      reasoning: '',
      value: 'B2',
    });
  });

  it.each([
    ['no JSON', 'The first text is better.'],
    ['text around the JSON', `Here: ${answer({ reasoning: '', choice: 'tie' })}`],
    ['a code block', `\`\`\`json\n${answer({ reasoning: '', choice: 'tie' })}\n\`\`\``],
    ['two objects', `${answer({ reasoning: '', choice: 'tie' })}${answer({ reasoning: '', choice: 'first' })}`],
    ['a list', answer([{ reasoning: '', choice: 'tie' }])],
    ['null', 'null'],
    ['a missing member', answer({ choice: 'tie' })],
    ['an unknown member', answer({ reasoning: '', choice: 'tie', score: 1 })],
    ['an unknown choice', answer({ reasoning: '', choice: 'A' })],
    ['a choice in another case', answer({ reasoning: '', choice: 'First' })],
    ['a list of choices', answer({ reasoning: '', choice: ['first'] })],
    ['a reasoning that is no text', answer({ reasoning: 1, choice: 'tie' })],
    ['a prototype', '{"reasoning":"","__proto__":{"choice":"first"}}'],
    ['too many characters', answer({ reasoning: 'a'.repeat(20_000), choice: 'tie' })],
    ['nothing', ''],
  ])('refuses %s, with a fault that repeats nothing of it', (_, text) => {
    expect(read(text)).toEqual({
      fault: expect.stringMatching(
        /^was not one JSON object$|^did not have the members and values asked for$|^was longer than 20000 characters$/,
      ),
    });
  });

  it('cleans and limits the reasoning', () => {
    const found = read(answer({ reasoning: ` \u0000a\u202E${'😀'.repeat(1000)}`, choice: 'first' }));
    if ('fault' in found) throw new Error(found.fault);
    expect(found.reasoning).toMatch(/^␀a😀/u);
    expect(found.reasoning.length).toBeLessThanOrEqual(1000);
    expect(found.reasoning.isWellFormed()).toBe(true);
  });
});
