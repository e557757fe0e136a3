import { describe, expect, it } from '@jest/globals';
import type { Assertion } from './assertion.js';
import { checkOutput } from './check-output.js';

const toolCalls = [
  { names: ['search'], input: { q: 'sea', page: { size: 5, at: 1 } } },
  { names: ['mcp_shop_look', 'mcp:shop/look'], input: { id: 7 } },
  { names: ['search'], input: { q: 'moon' } },
];
const subject = { output: '', params: {}, expected: null, latencyMs: null, credits: null, toolCalls };
const tool = (name: string, q?: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', ...(q !== undefined && { properties: { q: { type: q } } }) } },
});
const check = (assertion: Assertion) => checkOutput({ assertions: [assertion] }, subject);
const passes = (assertion: Assertion): boolean => check(assertion).pass;

describe('an assertion about calls of tools', () => {
  it.each<[string, unknown, boolean]>([
    ['trajectory:tool-used', 'search', true],
    ['trajectory:tool-used', ['search', 'mcp:shop/*'], true],
    ['trajectory:tool-used', ['search', 'buy'], false],
    ['trajectory:tool-used', { name: 'search', min: 2, max: 2 }, true],
    ['trajectory:tool-used', { name: 'search', max: 1 }, false],
    ['trajectory:tool-used', { pattern: 'mcp*l*k', min: 1 }, true],
    ['trajectory:tool-used', { name: 'buy', min: 0, max: 0 }, true],
    ['not-trajectory:tool-used', 'buy', true],
    ['trajectory:tool-args-match', { name: 'search', args: { page: { size: 5 } } }, true],
    ['trajectory:tool-args-match', { name: 'search', args: { q: 'sun' } }, false],
    ['trajectory:tool-args-match', { name: 'search', args: { q: 'moon' }, mode: 'exact' }, true],
    ['trajectory:tool-args-match', { name: 'search', args: { page: { size: 5 } }, mode: 'exact' }, false],
    ['trajectory:tool-sequence', ['search', 'search'], true],
    ['trajectory:tool-sequence', ['mcp_shop_look', 'search'], true],
    ['trajectory:tool-sequence', ['search', 'search', 'mcp_shop_look'], false],
    ['trajectory:tool-sequence', { mode: 'exact', steps: ['search', 'mcp:shop/look', 'search'] }, true],
    ['trajectory:tool-sequence', { mode: 'exact', steps: ['search', 'search'] }, false],
    ['trajectory:step-count', { type: 'tool', max: 3 }, true],
    ['trajectory:step-count', { pattern: 'search', min: 3 }, false],
    ['trajectory:step-count', { type: 'reasoning', max: 3 }, false],
    ['tool-call-f1', ['search', 'mcp_shop_look'], true],
    ['tool-call-f1', 'search, buy', false],
    ['is-valid-openai-tools-call', [tool('search', 'string'), tool('mcp_shop_look')], true],
    ['is-valid-openai-tools-call', [{ type: 'function', name: 'search' }, tool('mcp:shop/look')], true],
    ['is-valid-openai-tools-call', [tool('search', 'number'), tool('mcp_shop_look')], false],
    ['is-valid-openai-tools-call', [tool('search')], false],
    ['not-is-valid-openai-tools-call', [tool('search')], true],
    ['is-valid-openai-tools-call', 'search', false],
    ['trajectory:tool-used', {}, false],
    ['trajectory:tool-sequence', [], false],
  ])('%s %j: %s', (type, value, expected) => expect(passes({ type, value })).toBe(expected));

  it('has a score of F1', () => {
    expect(check({ type: 'tool-call-f1', value: 'search, buy', threshold: 0.5 })).toMatchObject({
      pass: true,
      score: 0.5,
    });
  });

  it('has a fault without a value, negated or not', () => {
    for (const type of ['trajectory:tool-used', 'not-trajectory:tool-used']) {
      expect(check({ type })).toMatchObject({ pass: false, reason: expect.stringContaining('needs the names') });
    }
  });
});
