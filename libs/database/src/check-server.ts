import { SchemaError } from './schema-error.js';

/** The major versions of PostgreSQL that are tested. */
const supported = { oldest: 15, newest: 18 };

type Query = <R>(sql: string) => Promise<readonly R[]>;

/** Throws SchemaError for a server that is too old; returns a warning about one that is newer than all tested ones. */
export async function checkServer(query: Query): Promise<string[]> {
  const [server] = await query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  );
  const { number = '0', version = '?' } = server ?? {};
  const major = Math.floor(Number(number) / 10_000);
  const { oldest, newest } = supported;
  if (major < oldest) {
    throw new SchemaError(`PostgreSQL ${version} is too old: version ${oldest} or newer is needed`);
  }
  if (major <= newest) return [];
  return [
    `PostgreSQL ${version} is newer than the versions that this release was tested with (${oldest} to ${newest})`,
  ];
}
