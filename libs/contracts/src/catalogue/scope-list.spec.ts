import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { type ScopeList, scopeListKind, scopesIn } from './scope-list.js';
import { toValueType } from '../schema/kinds.js';
import { findFault } from '../schema/rules.js';
import { scopes } from './scopes.js';

const fault = (value: unknown) => findFault(toValueType(scopeListKind), value, 'scopes');

describe('scopeListKind', () => {
  it.each<[ScopeList, string[]]>([
    ['lenses:read', ['lenses:read']],
    ['lenses:read,tokens:write', ['lenses:read', 'tokens:write']],
    [' lenses:read , lenses:read,  agents:write', ['lenses:read', 'agents:write']],
    [
      ['lenses:read', 'lenses:read', 'threads:write'],
      ['lenses:read', 'threads:write'],
    ],
    [scopes.join(','), [...scopes]],
    [scopes, [...scopes]],
    ['lenses:read'.padEnd(1000), ['lenses:read']],
    [Array.from({ length: 100 }, () => 'lenses:read'), ['lenses:read']],
  ])('accepts %j', (given, expected) => {
    expect(fault(given)).toBeUndefined();
    expect(scopesIn(given)).toEqual(expected);
  });

  it.each([
    '',
    ',',
    'lenses:read,',
    'lenses:read lenses:write',
    'lenses:*',
    'lenses:admin',
    'LENSES:READ',
    [],
    ['lenses:read,lenses:write'],
    [' lenses:read'],
    ['lenses:read', 1],
    [['lenses:read']],
    { 0: 'lenses:read', length: 1 },
    null,
    7,
    'lenses:read'.padEnd(1001),
    Array.from({ length: 101 }, () => 'lenses:read'),
  ])('refuses %j with a list of the scopes', (given) => {
    expect(fault(given)).toEqual({
      path: 'scopes',
      message: `must be a list of scopes, or a text with commas between them; scopes are ${scopes.join(', ')}`,
    });
  });
});
