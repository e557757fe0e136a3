import { createHash, timingSafeEqual } from 'node:crypto';

/** The form of a challenge made with S256, the only method there is. */
export const isCodeChallenge = (text: string | undefined): text is string =>
  text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);

export function answersChallenge(verifier: string | undefined, challenge: string): boolean {
  if (verifier === undefined || !/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest();
  const asked = Buffer.from(challenge, 'base64url');
  return made.length === asked.length && timingSafeEqual(made, asked);
}
