import { describe, expect, it } from '@jest/globals';
import { ownPath, withReturn } from './return-to.js';

describe('the return_to path', () => {
  it.each([
    '/id/',
    '/id/device?user_code=BCDF-GHJK',
    '/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fevil.example%2F&state=%2F%2Fevil',
  ])('can be %s', (path) => {
    expect(ownPath(path)).toBe(path);
    expect(new URLSearchParams(withReturn('/id/sign-in', path).split('?')[1]).get('return_to')).toBe(path);
  });

  it.each([
    undefined,
    '',
    'id/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/id/..//evil.example',
    '/id/../..//evil.example/id/',
    '/.//evil.example',
    '/id//evil.example',
    '/id/\\evil',
    '/%2F/evil.example',
    '/%5Cevil.example',
    '/v1/tokens',
    '/idle',
    'https://evil.example/id/',
    'HTTPS:/id/',
    'https:/id/',
    'javascript:alert(1)//id/',
    'data:text/html,x',
    '@evil.example/id/',
    ' /id/',
    '/id/ x',
    '/id/ü',
    `/id/${'a'.repeat(9000)}`,
  ])('cannot be %j', (path) => {
    expect(ownPath(path)).toBeUndefined();
  });
});
