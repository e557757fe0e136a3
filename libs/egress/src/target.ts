import { isIP } from 'node:net';
import { addressKind, isAllowedAddress } from './address.js';
import { EgressFailed } from './egress-failed.js';
import type { EgressPolicy } from './policy.js';

const LONGEST = 2_048;

export type TargetPolicy = Pick<EgressPolicy, 'allowPrivate' | 'allow' | 'onlyAllowed' | 'allowHttp' | 'ports'>;

/** What can be known about a URL before its name is looked up; throws EgressFailed when it may not be called. */
export function readTarget(policy: TargetPolicy, text: string): URL {
  if (text.length > LONGEST) throw refused(`The URL is longer than ${LONGEST} characters.`);
  if (!URL.canParse(text)) throw refused('The URL is not valid; it must look like https://example.com/path.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowHttp))
    throw refused(`The URL must start with https://${policy.allowHttp ? ' or http://' : ''}, not ${url.protocol}`);
  if (url.username || url.password) throw refused('The URL must not carry a user name or password.');
  const port = portOf(url);
  if (policy.ports !== 'any' && !policy.ports.includes(port))
    throw refused(`Port ${port} is not allowed; allowed are ${policy.ports.join(', ')}.`);
  checkHost(policy, hostOf(url));
  return url;
}

/** The host as sockets want it: IPv6 without brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

// Sockets never look up a literal address, so a checking lookup alone would let it through.
function checkHost(policy: TargetPolicy, host: string): void {
  if (isIP(host) ? !isAllowedAddress(policy, host) : !mayHaveHome(policy) && /(^|\.)localhost\.?$/.test(host))
    throw notAllowed(host, [host]);
}

const mayHaveHome = ({ allowPrivate, allow }: TargetPolicy): boolean => allowPrivate || allow !== undefined;

export const notAllowed = (host: string, addresses: readonly string[]): EgressFailed =>
  new EgressFailed(
    'address_not_allowed',
    `${host} is not on the public internet (${reasons(host, addresses)}); private, loopback, link-local, metadata, multicast and reserved addresses are not called.`,
  );

function reasons(host: string, addresses: readonly string[]): string {
  if (addresses.length === 0) return 'it has no address';
  return addresses.map((each) => (each === host && isIP(each) === 0 ? 'a name of this host' : said(each))).join(', ');
}

const said = (address: string): string => `${address} is ${addressKind(address)}`;

const refused = (message: string): EgressFailed => new EgressFailed('url_not_allowed', message);
