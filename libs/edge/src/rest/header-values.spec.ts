import { describe, expect, it } from '@jest/globals';
import { acceptedEncodings, isInUtf8 } from './header-values.js';

describe('isInUtf8', () => {
  it.each([
    'application/json',
    'application/json;',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8" ;',
    'application/json ; charset = utf8',
  ])('accepts %s', (type) => expect(isInUtf8(type)).toBe(true));

  it.each([
    'application/json; charset=latin1',
    'application/json; boundary=x',
    'application/json; charset=utf-8; boundary=x',
    'application/json; charset=utf-8; charset=utf-8',
    `application/json; charset=utf-8${' '.repeat(15_000)}`,
    `application/json;${' '.repeat(15_000)}x`,
    ' '.repeat(15_000),
  ])('refuses %.60s', (type) => expect(isInUtf8(type)).toBe(false));
});

describe('acceptedEncodings', () => {
  it.each([
    ['', ['']],
    ['gzip, br', ['gzip', 'br']],
    ['GZIP;q=0.5 , br ; q=0, zstd;q=0.000, deflate;q=0.1', ['gzip', 'deflate']],
    [`gzip, ${' '.repeat(15_000)}br`, []],
    [`gzip${' '.repeat(15_000)}x`, []],
  ])('reads %.60s', (header, encodings) => expect(acceptedEncodings(header)).toEqual(encodings));
});
