import { expect, it } from '@jest/globals';
import { parseLimit, scopesFor, describeScopes } from './token-kinds.js';

it('offers developer tokens no scope that the server refuses', () => {
  const names = scopesFor('developer').map(({ name }) => name);
  expect(names).toContain('lenses:read');
  expect(names).not.toContain('tokens:write');
  expect(scopesFor('service').map(({ name }) => name)).toContain('tokens:write');
});

it('says scopes in words', () => {
  expect(describeScopes(['threads:read', 'tokens:write', 'later:read'])).toBe(
    'read threads; create and revoke tokens; later:read',
  );
});

it('reads an empty limit as none and 0 as a limit', () => {
  expect([parseLimit(''), parseLimit('0'), parseLimit('25')]).toEqual([undefined, 0, 25]);
});
