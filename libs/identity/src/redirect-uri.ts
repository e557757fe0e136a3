import type { OAuthClient } from './oauth-client.entity.js';

const longest = 2000;

// What a URI may consist of (RFC 3986), without what only ever stands for something else.
const uriText = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()+,;=%]+$/;
const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s;
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?([/?].*)?$/;

/** Schemes that run something, read something or reach a service instead of an app that waits for the code. */
const dangerous = new Set(
  (
    'javascript vbscript livescript mocha data file blob filesystem about view-source jar wyciwyg feed resource chrome ' +
    'chrome-extension moz-extension edge intent content ms-msdt ms-its search search-ms res mhtml mk urn tel sms mailto ' +
    'ftp ftps sftp ws wss ssh telnet gopher ldap ldaps smb nfs dict news nntp'
  ).split(' '),
);

/** Why a client may not register this; undefined when it may. */
export function faultOfRedirectUri(uri: string): string | undefined {
  if (uri.length > longest) return `must be at most ${longest} characters long`;
  if (uri.includes('*')) return 'must be one exact address, without wildcards';
  if (!uriText.test(uri)) return 'must consist of the characters of a URI, others percent-encoded or in punycode';
  if (uri.includes('#')) return 'must have no fragment';
  const [, name = '', rest = ''] = scheme.exec(uri) ?? [];
  const kind = name.toLowerCase();
  if (kind === '' || rest === '' || rest === '//') return 'must be an absolute URI';
  if (dangerous.has(kind)) return `must not use the scheme ${kind}:`;
  if (!URL.canParse(uri)) return 'must be a URI that can be read';
  const { username, password, hostname } = new URL(uri);
  if (username !== '' || password !== '' || /^\/\/[^/?]*@/.test(rest)) return 'must have no user or password';
  if (kind !== 'https' && kind !== 'http') return undefined;
  if (!/^\/\/[^/?]/.test(rest) || hostname === '') return 'must name a host after //';
  if (kind === 'http' && !isLoopback(uri)) return 'must use https, or http with localhost, 127.0.0.1 or [::1]';
  return undefined;
}

/** An address of the machine that the browser runs on, in plain http. */
export const isLoopback = (uri: string): boolean => loopback.test(uri);

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
