import type { RedisOptions } from 'ioredis';

export interface SentinelAddress {
  host: string;
  port: number;
}

export interface RedisAddress {
  /** With Sentinels only its scheme, user, password and database are used. */
  url: string;
  /** The certificates of an own CA, as PEM. */
  ca?: string | undefined;
  sentinels?: {
    addresses: readonly SentinelAddress[];
    /** The name of the primary that the Sentinels watch. */
    master: string;
    password?: string | undefined;
  };
}

/** The options of ioredis for an address, beside its URL. */
export function toRedisOptions({ url, ca, sentinels }: RedisAddress, retry: (tries: number) => number): RedisOptions {
  const tls = url.startsWith('rediss:') ? { ...(ca !== undefined && { ca }) } : undefined;
  return {
    ...(tls && { tls }),
    ...(sentinels && {
      sentinels: sentinels.addresses.map(({ host, port }) => ({ host, port })),
      name: sentinels.master,
      sentinelRetryStrategy: retry,
      sentinelCommandTimeout: 1000,
      ...(sentinels.password !== undefined && { sentinelPassword: sentinels.password }),
      ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
    }),
  };
}
