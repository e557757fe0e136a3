import { expect, it } from '@jest/globals';
import { toCheck, toCheckDraft } from './checks';

it('turns the text of a field into the value that the check takes, and back', () => {
  const checks = [
    { kind: 'contains', weight: 1, value: '12' },
    { kind: 'max_length', weight: 2, value: 12 },
    { kind: 'json_schema', weight: 1, value: { type: 'object' } },
  ] as const;
  expect(checks.map(toCheckDraft).map(toCheck)).toEqual(checks);
});

it('refuses a schema that is not JSON', () => {
  expect(() => toCheck({ kind: 'json_schema', weight: 1, value: '{type' })).toThrow(SyntaxError);
});
