import { expect, it } from '@jest/globals';
import { limitOf, scopesFor, wordsOf } from './token-kinds.js';

it('offers developer tokens no scope that the server refuses', () => {
  const names = scopesFor('developer').map(({ name }) => name);
  expect(names).toContain('lenses:read');
  expect(names).not.toContain('tokens:write');
  expect(scopesFor('service').map(({ name }) => name)).toContain('tokens:write');
});

it('says scopes in words', () => {
  expect(wordsOf(['threads:read', 'tokens:write', 'later:read'])).toBe(
    'read threads; create and revoke tokens; later:read',
  );
});

it('reads an empty limit as none and 0 as a limit', () => {
  expect([limitOf(''), limitOf('0'), limitOf('25')]).toEqual([undefined, 0, 25]);
});
