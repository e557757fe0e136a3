/** The host or scheme of a redirect URI, which shows people the receiver of the response. */
export const redirectTarget = (redirectUri: string): string =>
  /^https?:/i.test(redirectUri) ? new URL(redirectUri).host : `${redirectUri.split(':', 1)[0] ?? ''}: on this device`;
