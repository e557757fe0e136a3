const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** A random text that cannot be guessed. */
export const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** The S256 challenge of a code verifier (RFC 7636). */
export async function createChallenge(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest));
}
