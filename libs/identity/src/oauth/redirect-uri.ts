import type { OAuthClient } from './oauth-client.entity.js';
import { toSingleLine } from '../accounts/single-line.js';
import { isDangerous, wellKnownSchemes } from './allowed-schemes.js';

const maxLength = 2000;
const maxDisplayed = 200;

// The characters of a URI (RFC 3986), except wildcards.
const uriText = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()+,;=%]+$/;
const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s;
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?([/?].*)?$/;
/** A reverse domain as in RFC 8252, 7.1: com.example.app. */
const reverseDomain = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/**
 * The reason why a client must not register a redirect URI; undefined when there is none. Besides https and loopback, a
 * client may use a reverse domain as scheme, or an allowed scheme.
 */
export function faultOfRedirectUri(
  uri: string,
  allowedSchemes: readonly string[] = wellKnownSchemes,
): string | undefined {
  if (uri === '') return 'must not be empty';
  if (uri.length > maxLength) return `must have at most ${maxLength} characters`;
  if (uri.includes('*')) return 'must be one exact address, without wildcards';
  if (!uriText.test(uri)) return 'must consist of the characters of a URI, others percent-encoded or in punycode';
  if (uri.includes('#')) return 'must have no fragment';
  const [, name = '', rest = ''] = scheme.exec(uri) ?? [];
  const kind = name.toLowerCase();
  if (kind === '' || rest === '' || rest === '//') return 'must be an absolute URI';
  if (isDangerous(kind)) return `must not use the scheme ${kind}:`;
  if (!URL.canParse(uri)) return 'must be a valid URI';
  const { username, password, hostname } = new URL(uri);
  if (username !== '' || password !== '' || /^\/\/[^/?]*@/.test(rest)) return 'must have no user or password';
  if (kind !== 'https' && kind !== 'http') {
    if (reverseDomain.test(kind) || allowedSchemes.includes(kind)) return undefined;
    return `must not use the scheme ${kind}: (use a domain in reverse order, as in com.example.app:, or have the operator allow the scheme)`;
  }
  if (!/^\/\/[^/?]/.test(rest) || hostname === '') return 'must name a host after //';
  if (kind === 'http' && !isLoopback(uri)) return 'must use https, or http with localhost, 127.0.0.1 or [::1]';
  return undefined;
}

/** Formats a URI for an error message: one line, limited in length, without invisible characters. */
export function displayUri(uri: string): string {
  const plain = toSingleLine(uri);
  return plain.length > maxDisplayed ? `${plain.slice(0, maxDisplayed)}...` : plain;
}

/** True for a loopback address in plain http. */
export const isLoopback = (uri: string): boolean => loopback.test(uri);

/** True for a loopback address in http or https. */
export const isOnThisComputer = (uri: string): boolean => isLoopback(uri.replace(/^https:/, 'http:'));

/**
 * Returns the requested redirect URI if the client has registered exactly this one. A loopback address that was registered
 * without a port matches every port, because native apps get their port at run time.
 */
export function matchRedirectUri(
  { redirectUris }: Pick<OAuthClient, 'redirectUris'>,
  requested: string | undefined,
): string | undefined {
  if (requested === undefined) return undefined;
  if (redirectUris.includes(requested)) return requested;
  const [, host, port = '', rest = ''] = loopback.exec(requested) ?? [];
  if (host === undefined || !/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) return undefined;
  return redirectUris.includes(`http://${host}${rest}`) ? requested : undefined;
}
