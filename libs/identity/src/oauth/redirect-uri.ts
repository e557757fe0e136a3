import type { OAuthClient } from './oauth-client.entity.js';
import { plainLine } from '../accounts/plain-line.js';

const longest = 2000;
const longestShown = 200;

// What a URI may consist of (RFC 3986), without what only ever stands for something else.
const uriText = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()+,;=%]+$/;
const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s;
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?([/?].*)?$/;
/** A domain in reverse order, as RFC 8252, 7.1 wants it: com.example.app. */
const reverseDomain = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Schemes that run something, read something or reach a service instead of an app that waits for the code. */
const dangerous = new Set(
  (
    'javascript vbscript livescript mocha data file blob filesystem about view-source jar wyciwyg feed resource chrome ' +
    'chrome-extension moz-extension edge intent content search search-ms res mhtml mk urn tel sms mailto shell ' +
    'ftp ftps sftp ws wss ssh telnet gopher ldap ldaps smb nfs dict news nntp'
  ).split(' '),
);

// `ms-…` opens parts of Windows and Office, many of which take commands.
const isDangerous = (name: string): boolean => dangerous.has(name) || name.startsWith('ms-');

/** Why an operator may not allow this scheme for redirect addresses; undefined when it may be allowed. */
export function faultOfAllowedScheme(name: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]{0,63}$/.test(name)) return 'must be the name of a scheme, in lower case and without a colon';
  if (isDangerous(name) || name === 'http' || name === 'https') return `must not allow the scheme ${name}`;
  return undefined;
}

/**
 * Why a client may not register this; undefined when it may. Besides https and loopback that is an app's own scheme: a
 * domain in reverse order, or a scheme that the operator allows.
 */
export function faultOfRedirectUri(uri: string, allowedSchemes: readonly string[] = []): string | undefined {
  if (uri === '') return 'must not be empty';
  if (uri.length > longest) return `must have at most ${longest} characters`;
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

/** An address as a refusal repeats it, without what a reader cannot see. */
export function shownUri(uri: string): string {
  const plain = plainLine(uri);
  return plain.length > longestShown ? `${plain.slice(0, longestShown)}...` : plain;
}

/** An address of the machine that the browser runs on, in plain http. */
export const isLoopback = (uri: string): boolean => loopback.test(uri);

/** An address of this machine in plain http or over TLS. */
export const isOnThisComputer = (uri: string): boolean => isLoopback(uri.replace(/^https:/, 'http:'));

/**
 * The redirect URI that a request may use: what it asked for, when the client has registered exactly that. An address on
 * loopback that was registered without a port stands for every port, because native apps get theirs at run time.
 */
export function redirectUriOf(
  { redirectUris }: Pick<OAuthClient, 'redirectUris'>,
  asked: string | undefined,
): string | undefined {
  if (asked === undefined) return undefined;
  if (redirectUris.includes(asked)) return asked;
  const [, host, port = '', rest = ''] = loopback.exec(asked) ?? [];
  if (host === undefined || !/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) return undefined;
  return redirectUris.includes(`http://${host}${rest}`) ? asked : undefined;
}
