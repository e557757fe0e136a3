/** Where a redirect address leads to, as far as it says who gets the answer. */
export const placeOf = (redirectUri: string): string =>
  /^https?:/i.test(redirectUri) ? new URL(redirectUri).host : `${redirectUri.split(':', 1)[0] ?? ''}: on this device`;
