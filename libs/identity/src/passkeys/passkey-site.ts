import { isIP } from 'node:net';

/** The site whose passkeys a browser offers. */
export interface PasskeySite {
  origin: string;
  /** The domain to which passkeys belong. */
  domain: string;
}

/** The site at an address; undefined where browsers allow no passkeys: at an IP address, and without TLS. */
export function passkeySite(address: string): PasskeySite | undefined {
  const { origin, hostname, protocol } = new URL(address);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  return protocol === 'https:' || hostname === 'localhost' ? { origin, domain: hostname } : undefined;
}
