import { isIP } from 'node:net';
import { type AddressPolicy, addressKind, isAllowedAddress, isPublic } from './address.js';
import { EgressFailed } from './egress-failed.js';
import type { EgressPolicy } from './policy.js';

const MAX_LENGTH = 2_048;

export type TargetPolicy = Pick<EgressPolicy, 'allowPrivate' | 'allow' | 'allowHttp' | 'ports'>;

/** Parses and checks a URL before its name is resolved; throws EgressFailed when it is not allowed. */
export function readTarget(policy: TargetPolicy, text: string): URL {
  if (text.length > MAX_LENGTH) throw refused(`The URL is longer than ${MAX_LENGTH} characters.`);
  if (!URL.canParse(text)) throw refused('The URL is not valid; it must look like https://example.com/path.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowsHttp(policy)))
    throw refused(`The URL must start with https://${allowsHttp(policy) ? ' or http://' : ''}, not ${url.protocol}`);
  if (url.username || url.password) throw refused('The URL must not carry a user name or password.');
  const port = getPort(url);
  if (policy.ports !== 'any' && !policy.ports.includes(port))
    throw refused(`Port ${port} is not allowed; allowed are ${policy.ports.join(', ')}.`);
  checkHost(addressesFor(policy, url.protocol), getHost(url));
  return url;
}

const allowsHttp = ({ allowHttp, allowPrivate, allow }: TargetPolicy): boolean =>
  allowHttp === 'opened' ? allowPrivate || allow !== undefined : allowHttp;

/** The addresses that calls of a protocol may reach. */
export const addressesFor = ({ allowPrivate, allow, allowHttp }: TargetPolicy, protocol: string): AddressPolicy => ({
  allowPrivate,
  allow,
  onlyOpened: protocol === 'http:' && allowHttp === 'opened',
});

/** The host for sockets: IPv6 without brackets. */
export const getHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

export const getPort = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

// Sockets do not look up literal addresses, so the checked look-up does not see them.
function checkHost(policy: AddressPolicy, host: string): void {
  if (isIP(host) ? !isAllowedAddress(policy, host) : !allowsLocalhost(policy) && /(^|\.)localhost\.?$/.test(host))
    throw notAllowed(host, [host], policy);
}

const allowsLocalhost = ({ allowPrivate, allow }: AddressPolicy): boolean => allowPrivate || allow !== undefined;

export const notAllowed = (
  host: string,
  addresses: readonly string[],
  { onlyOpened = false }: Pick<AddressPolicy, 'onlyOpened'> = {},
): EgressFailed =>
  new EgressFailed(
    'address_not_allowed',
    onlyOpened && addresses.some(isPublic)
      ? `Plain http is allowed only to addresses that the operator opened, and ${host} is none of them: use https://.`
      : `${host} is not on the public internet (${reasons(host, addresses)}); private, loopback, link-local, metadata, multicast and reserved addresses are not allowed.`,
  );

function reasons(host: string, addresses: readonly string[]): string {
  if (addresses.length === 0) return 'it has no address';
  return addresses
    .map((each) => (each === host && isIP(each) === 0 ? 'a name of this host' : describeAddress(each)))
    .join(', ');
}

const describeAddress = (address: string): string => `${address} is ${addressKind(address)}`;

const refused = (message: string): EgressFailed => new EgressFailed('url_not_allowed', message);
