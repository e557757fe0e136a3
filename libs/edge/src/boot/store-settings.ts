import { X509Certificate } from 'node:crypto';
import type { Issue } from '@lensforge/contracts';
import type { SentinelAddress } from '@lensforge/queue';

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Certificates of an own CA. A setting with the suffix _FILE names their file. */
export const certificates = {
  max: 1_000_000,
  optional: true,
  check: (value: string) => (isCertificates(value) ? undefined : 'must be certificates in PEM'),
} as const;

function isCertificates(text: string): boolean {
  const found = text.match(certificate) ?? [];
  try {
    return found.map((each) => new X509Certificate(each)).length > 0;
  } catch {
    return false;
  }
}

export const sentinels = {
  max: 4000,
  optional: true,
  check: (value: string) =>
    readSentinels(value) ? undefined : 'must be addresses such as sentinel-0.example.com:26379, separated by commas',
} as const;

const usualSentinelPort = 26_379;

/** `host:port` or `host`, separated by commas; an IPv6 address is in brackets. Undefined when one is not valid. */
export function readSentinels(list: string): SentinelAddress[] | undefined {
  const found = list.split(',').map((each) => {
    const [, host = '', port] = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(each.trim()) ?? [];
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? usualSentinelPort) };
  });
  return found.every(({ host, port }) => host !== '' && port > 0 && port < 65_536) ? found : undefined;
}

/** The settings that the faults are about. */
export interface StoreSettings {
  readonly DATABASE_URL: string;
  readonly DATABASE_CA?: string | undefined;
  readonly REDIS_URL: string;
  readonly REDIS_CA?: string | undefined;
}

export function storeFaults({ DATABASE_URL, DATABASE_CA, REDIS_URL, REDIS_CA }: Partial<StoreSettings>): Issue[] {
  const parameter = /[?&](sslmode=(?:disable|no-verify)|sslrootcert|sslcert|sslkey|ssl(?==))/.exec(
    DATABASE_URL ?? '',
  )?.[1];
  return [
    ...(DATABASE_CA !== undefined && parameter !== undefined
      ? [{ path: 'DATABASE_URL', message: `contains ${parameter}, which contradicts DATABASE_CA: remove one of them` }]
      : []),
    ...(REDIS_CA !== undefined && REDIS_URL?.startsWith('redis:')
      ? [{ path: 'REDIS_URL', message: 'must begin with rediss:// when REDIS_CA is set' }]
      : []),
  ];
}
