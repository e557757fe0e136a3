import { type DatabaseAddress, toConnection } from '@lensforge/database';
import { Redis } from 'ioredis';
import pg from 'pg';
import { StartupError } from './startup-error.js';

const oldest = 150_000;

const toPlace = (url: string, usualPort: number): string => {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || usualPort}`;
};

function readUrl(name: string, url: string, form: RegExp, example: string): void {
  if (!form.test(url) || !URL.canParse(url)) throw new StartupError(`${name} is no address: write it like ${example}.`);
}

const whyNoServer: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server answers there',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'it does not answer',
  '28P01': 'it refuses the password',
  '28000': 'it refuses the user',
  '3D000': 'it has no such database',
};

/** An error of a host with several addresses has the errors of all. */
function why(reason: unknown): string {
  const { code, message, errors } = reason as { code?: string; message?: string; errors?: unknown[] };
  if (errors?.[0]) return why(errors[0]);
  return (code && whyNoServer[code]) ?? (/timeout/i.test(message ?? '') ? 'it does not answer' : String(message));
}

/** Checks that the server can be reached and is new enough; the error names the reason. */
export async function checkDatabase(address: DatabaseAddress): Promise<void> {
  const { url } = address;
  readUrl('DATABASE_URL', url, /^postgres(ql)?:\/\//, 'postgres://user:password@host:5432/database');
  const place = toPlace(url, 5432);
  const client = new pg.Client({ ...toConnection(address), connectionTimeoutMillis: 5000, query_timeout: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, string>>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as name`,
    );
    const { number, name } = rows[0] ?? {};
    if (Number(number) >= oldest) return;
    throw new StartupError(`PostgreSQL ${name} at ${place} is too old: Lensforge needs version 15 or newer.`);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`PostgreSQL at ${place} (DATABASE_URL) cannot be used: ${why(error)}.`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function checkRedis(url: string, ca?: string): Promise<void> {
  readUrl('REDIS_URL', url, /^rediss?:\/\//, 'redis://host:6379');
  const client = new Redis(url, {
    ...(ca !== undefined && { tls: { ca } }),
    lazyConnect: true,
    connectTimeout: 5000,
    disconnectTimeout: 1,
    retryStrategy: () => null,
  });
  let fault: unknown;
  client.on('error', (error) => (fault = error));
  try {
    await client.connect();
    const info = await client.info('memory');
    const policy = /^maxmemory_policy:(.*?)\r?$/m.exec(info)?.[1];
    if (!policy || policy === 'noeviction') return;
    throw new StartupError(
      `Redis at ${toPlace(url, 6379)} (REDIS_URL) throws queued work away when its memory is full: set maxmemory-policy noeviction instead of ${policy}.`,
    );
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`Redis at ${toPlace(url, 6379)} (REDIS_URL) cannot be used: ${why(fault ?? error)}.`, {
      cause: error,
    });
  } finally {
    client.disconnect();
  }
}
