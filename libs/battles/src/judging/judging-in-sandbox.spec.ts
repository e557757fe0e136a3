import { afterAll, describe, expect, it } from '@jest/globals';
import { closeSandbox, configureSandbox } from '@lensforge/sandbox';
import type { Check } from './checks.js';
import { faultsInChecks, runCheck } from './judging-in-sandbox.js';

const limits = { account: 'a' };
const check = (text: string, one: Check): ReturnType<typeof runCheck> => runCheck(one, text, limits);
const weight = 1;
const person = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

afterAll(() => closeSandbox());

describe('runCheck', () => {
  it.each<[string, string, Check, number]>([
    ['equals', ' Paris\n', { type: 'equals', value: 'Paris', weight }, 1],
    ['equals, another case', 'paris', { type: 'equals', value: 'Paris', weight }, 0],
    ['equals without case', 'paris', { type: 'equals', value: 'Paris', ignoreCase: true, weight }, 1],
    ['equals, decomposed', 'Cafe\u0301', { type: 'equals', value: 'Café', weight }, 1],
    ['contains', 'It is Paris.', { type: 'contains', value: 'Paris', weight }, 1],
    ['contains not', 'It is Rome.', { type: 'contains', value: 'Paris', weight }, 0],
    ['matches', 'Total: 42', { type: 'matches', pattern: '^total: \\d+$', ignoreCase: true, weight }, 1],
    ['matches not', 'Total: many', { type: 'matches', pattern: '^Total: \\d+$', weight }, 0],
    ['json_schema', '{"name":"Ada"}', { type: 'json_schema', schema: person, weight }, 1],
    ['json_schema in a code block', '```json\n{"name":"Ada"}\n```', { type: 'json_schema', schema: person, weight }, 1],
    ['json_schema, wrong member', '{"name":1}', { type: 'json_schema', schema: person, weight }, 0],
    ['json_schema, no JSON', 'Ada', { type: 'json_schema', schema: person, weight }, 0],
    ['max_length of characters', '😀😀', { type: 'max_length', characters: 2, weight }, 1],
    ['max_length exceeded', '😀😀😀', { type: 'max_length', characters: 2, weight }, 0],
    ['similarity', 'night', { type: 'similarity', value: 'nacht', weight }, 0.2],
    ['similarity with a limit', 'night', { type: 'similarity', value: 'night!', atLeast: 0.9, weight }, 1],
    ['similarity below the limit', 'night', { type: 'similarity', value: 'nacht', atLeast: 0.9, weight }, 0],
    ['expression on text', 'a,b', { type: 'expression', expression: 'size(text.split(",")) == 2', weight }, 1],
    ['expression on JSON', '{"n":[1,2]}', { type: 'expression', expression: 'json.n[1] == 2', weight }, 1],
    ['expression without JSON', 'no', { type: 'expression', expression: 'json == null', weight }, 1],
    ['expression that is false', 'no', { type: 'expression', expression: 'text == "yes"', weight }, 0],
    ['expression that fails', 'no', { type: 'expression', expression: 'json.n > 1', weight }, 0],
    ['expression that is no condition', 'no', { type: 'expression', expression: 'text', weight }, 0],
  ])('%s', async (_, text, one, score) => {
    const result = await check(text, one);
    expect(result.score).toBeCloseTo(score, 5);
    expect(result.reason).not.toBe('');
  });

  it('scores a check that exceeds a limit 0 with its reason, and other checks as usual', async () => {
    configureSandbox({ timeMs: 300 });
    const backtracking: Check = { type: 'matches', pattern: '^(a+)+$', weight };
    const [hostile, other] = await Promise.all([
      check(`${'a'.repeat(100_000)}!`, backtracking),
      check('aaa', backtracking),
    ]);
    expect(hostile).toEqual({ score: 0, reason: 'makes the check exceed its time limit' });
    expect(other).toEqual({ score: 1, reason: 'matches the pattern' });
  });

  it('rejects when the sandbox is busy, because a later attempt succeeds', async () => {
    configureSandbox({ processes: 0, maxWaiting: 0 });
    await expect(check('a', { type: 'equals', value: 'a', weight })).rejects.toMatchObject({ kind: 'busy' });
    configureSandbox({});
  });
});

describe('faultsInChecks', () => {
  it('finds patterns, schemas and expressions that cannot be used', async () => {
    const faults = await faultsInChecks(
      [
        { type: 'equals', value: '', weight },
        { type: 'matches', pattern: '(', weight },
        { type: 'json_schema', schema: { type: 'object', patternProperties: {} }, weight },
        { type: 'expression', expression: 'text ==', weight },
        { type: 'expression', expression: 'inputs.text == text', weight },
        { type: 'expression', expression: 'size(text) > 1 && json != null', weight },
      ],
      limits,
    );
    expect(faults.map(({ path }) => path)).toEqual(['1.pattern', '2.schema', '3.expression', '4.expression']);
  });
});
