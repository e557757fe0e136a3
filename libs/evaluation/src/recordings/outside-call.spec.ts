import { describe, expect, it } from '@jest/globals';
import { keyOf, withoutSecretsInUrl, withoutSecretsOfCall } from './outside-call.js';

describe('withoutSecretsOfCall', () => {
  it.each([
    [{ authorization: 'Bearer abc' }, { authorization: '[removed]' }],
    [
      { 'x-api-key': 'abc', accept: 'a' },
      { 'x-api-key': '[removed]', accept: 'a' },
    ],
    [{ headers: { 'set-cookie': 'a=b' } }, { headers: { 'set-cookie': '[removed]' } }],
    [['key sk-0123456789abcdef01'], ['key sk-[removed]']],
    ['token ghp_0123456789abcdefghij', 'token ghp_[removed]'],
    [
      { maxTokens: 5, text: 'a task-like word' },
      { maxTokens: 5, text: 'a task-like word' },
    ],
  ])('removes what has the name or the form of a secret: %j', (given, expected) => {
    expect(withoutSecretsOfCall(given)).toEqual(expected);
  });

  it('removes secret parameters and the password of an address', () => {
    expect(withoutSecretsInUrl('https://a:b@example.com/x?api_key=1&q=2')).toBe(
      'https://a:removed@example.com/x?api_key=removed&q=2',
    );
    expect(withoutSecretsInUrl('not an address')).toBe('not an address');
  });
});

describe('keyOf', () => {
  const call = { kind: 'model', place: '', repetition: 1, request: { a: 1, b: { c: 2, d: 3 } } } as const;

  it('is the same whatever the order of members, and another one for everything that decides the answer', () => {
    const key = keyOf(call);
    expect(keyOf({ ...call, request: { b: { d: 3, c: 2 }, a: 1 } })).toBe(key);
    const others = [
      { ...call, kind: 'http' as const },
      { ...call, place: 'n' },
      { ...call, repetition: 2 },
      { ...call, request: { a: 2, b: { c: 2, d: 3 } } },
    ];
    for (const other of others) expect(keyOf(other)).not.toBe(key);
  });
});
