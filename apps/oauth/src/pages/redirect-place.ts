/** The part of a redirect address that says who gets the answer. */
export const placeOf = (redirectUri: string): string =>
  /^https?:/i.test(redirectUri) ? new URL(redirectUri).host : `${redirectUri.split(':', 1)[0] ?? ''}: on this device`;
