import { describe, expect, it } from '@jest/globals';
import { maskPersonalData } from './mask-personal-data.js';

describe('personal data', () => {
  it.each([
    ['Write to ada.l+x@mail.example.org, please', 'Write to <email>, please'],
    ['My IBAN is DE89 3704 0044 0532 0130 00.', 'My IBAN is <iban>.'],
    ['GB82WEST12345698765432', '<iban>'],
    ['card 4111 1111 1111 1111, or 4111-1111-1111-1111', 'card <card>, or <card>'],
    ['call +49 (30) 123-4567 or +1 212 555 0100', 'call <phone> or <phone>'],
  ])('is masked in %s', (text, masked) => {
    expect(maskPersonalData(text)).toBe(masked);
  });

  it.each([
    ['the order 4111 1111 1111 1112'],
    ['DE00 3704 0044 0532 0130 00 has wrong check digits'],
    ['a @ b, ada@home, 2026-11-28, 12 + 30 = 42, v1.2.3'],
    ['ISO 13616 and RFC 5322'],
  ])('is not seen in %s', (text) => {
    expect(maskPersonalData(text)).toBe(text);
  });

  it('is masked in all texts of a value, and nothing else changes', () => {
    const value = { a: ['x@y.example', 1, null, { b: true, 'c@d.example': '+4915112345678' }] };
    expect(maskPersonalData(value)).toEqual({ a: ['<email>', 1, null, { b: true, 'c@d.example': '<phone>' }] });
  });
});
