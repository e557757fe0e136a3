import { createHash, timingSafeEqual } from 'node:crypto';

/** True for the form of an S256 challenge, the only supported method. */
export const isCodeChallenge = (text: string | undefined): text is string =>
  text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);

export function verifyCodeChallenge(verifier: string | undefined, challenge: string): boolean {
  if (verifier === undefined || !/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest();
  const expected = Buffer.from(challenge, 'base64url');
  return made.length === expected.length && timingSafeEqual(made, expected);
}
