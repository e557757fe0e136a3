import type { ClientConfig } from 'pg';

export interface DatabaseAddress {
  url: string;
  /** The certificates of an own CA, as PEM. The connection is then encrypted, and certificate and host are verified. */
  ca?: string | undefined;
}

const sslMode = /([?&])sslmode=([^&]*)&?/;

interface Connection extends Pick<ClientConfig, 'ssl'> {
  connectionString: string;
}

/** The options of the driver for an address. */
export function toConnection({ url, ca }: DatabaseAddress): Connection {
  // Parameters of the URL would replace the option `ssl`.
  if (ca !== undefined) return { connectionString: url.replace(sslMode, '$1').replace(/[?&]$/, ''), ssl: { ca } };
  return { connectionString: /[?&]uselibpqcompat=true/.test(url) ? url : url.replace(verifiedModes, '$1verify-full') };
}

/** The driver verifies the server in these modes, too, and prints a warning about it. */
const verifiedModes = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;
