import pg from 'pg';
import type { BaseServers } from './base-servers.js';

export const applicationRole = 'lensforge_services';

/**
 * Creates the role of services in the embedded database, and returns their database URL; undefined for a given database,
 * whose operator creates roles.
 */
export async function ensureApplicationRole(
  { options, home }: BaseServers,
  ownersUrl: string,
): Promise<string | undefined> {
  if (options.databaseUrl) return undefined;
  const client = new pg.Client({ connectionString: ownersUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [applicationRole]);
    const verb = rowCount === 0 ? 'create' : 'alter';
    await client.query(`${verb} role ${applicationRole} login password ${client.escapeLiteral(home.databasePassword)}`);
  } finally {
    await client.end();
  }
  const url = new URL(ownersUrl);
  url.username = applicationRole;
  url.password = encodeURIComponent(home.databasePassword);
  return url.href;
}
