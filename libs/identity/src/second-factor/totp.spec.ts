import { describe, expect, it } from '@jest/globals';
import { base32 } from './base32.js';
import { matchingStep, stepAt, totpCode, totpUri } from './totp.js';

// The secret and the times of RFC 6238, appendix B; its codes have eight digits, of which these are the last six.
const secret = Buffer.from('12345678901234567890');

describe('codes of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 after %i seconds', (seconds, code) => {
    expect(totpCode(secret, stepAt(new Date(seconds * 1000)))).toBe(code);
  });

  it('are accepted one step early or late, and not two', () => {
    const now = new Date(1_111_111_111_000);
    const step = stepAt(now);
    for (const steps of [-1, 0, 1])
      expect(matchingStep(secret, totpCode(secret, step + steps), now)).toBe(step + steps);
    for (const steps of [-2, 2]) expect(matchingStep(secret, totpCode(secret, step + steps), now)).toBeUndefined();
    for (const text of ['', '12345', '1234567', 'abcdef']) expect(matchingStep(secret, text, now)).toBeUndefined();
  });
});

describe('the secret for an app', () => {
  it.each([
    ['foooo', 'MZXW633P'],
    ['12345678901234567890', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
  ])('is base32: %s', (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded);
  });

  it('has an address with the name of the person', () => {
    expect(totpUri('MZXW633P', 'a&b@mail.example')).toBe(
      'otpauth://totp/Lensforge%3Aa%26b%40mail.example?secret=MZXW633P&issuer=Lensforge',
    );
  });
});
