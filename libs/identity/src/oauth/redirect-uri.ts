import type { OAuthClient } from './oauth-client.entity.js';
import { toSingleLine } from '../accounts/single-line.js';

const maxLength = 2000;
const maxDisplayed = 200;

// The characters of a URI (RFC 3986), except wildcards.
const uriText = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()+,;=%]+$/;
const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s;
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?([/?].*)?$/;
/** A reverse domain as in RFC 8252, 7.1: com.example.app. */
const reverseDomain = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Schemes that run code, read data or reach a service instead of an app that waits for the code. */
const dangerous = new Set(
  (
    'javascript vbscript livescript mocha data file blob filesystem about view-source jar wyciwyg feed resource chrome ' +
    'chrome-extension moz-extension edge intent content search search-ms res mhtml mk urn tel sms mailto shell ' +
    'ftp ftps sftp ws wss ssh telnet gopher ldap ldaps smb nfs dict news nntp'
  ).split(' '),
);

// `ms-…` schemes open parts of Windows and Office, many of which accept commands.
const isDangerous = (name: string): boolean => dangerous.has(name) || name.startsWith('ms-');

/** The reason why an operator must not allow a scheme in redirect URIs; undefined when there is none. */
export function faultOfAllowedScheme(name: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]{0,63}$/.test(name)) return 'must be the name of a scheme, in lower case and without a colon';
  if (isDangerous(name) || name === 'http' || name === 'https') return `must not allow the scheme ${name}`;
  return undefined;
}

/**
 * The reason why a client must not register a redirect URI; undefined when there is none. Besides https and loopback, a
 * client may use a reverse domain as scheme, or a scheme that the operator allows.
 */
export function faultOfRedirectUri(uri: string, allowedSchemes: readonly string[] = []): string | undefined {
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
    return `must not use the scheme ${kind}: (a scheme of an app is a domain in reverse order, as in com.example.app:)`;
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
