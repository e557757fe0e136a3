import { SchemaError, checkSchema, mayRewriteAudit, newestSchema, type openDatabase } from '@lensforge/database';
import { type Finding, fault, ok, warning } from './finding.js';

export type Database = Awaited<ReturnType<typeof openDatabase>>;

const oldest = 150_000;
const fewConnections = 0.9;

interface Server {
  version: string;
  number: number;
  used: number;
  limit: number;
}

export async function checkDatabase(database: Database, production: boolean): Promise<Finding[]> {
  const [server] = await database.query<[Server]>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
            (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
            current_setting('max_connections')::int as limit`,
  );
  return [
    server.number < oldest
      ? fault('PostgreSQL', `version ${server.version} is too old: use 15 or later`)
      : ok('PostgreSQL', `version ${server.version}`),
    checkConnections(server),
    ...(await checkVersion(database, production)),
  ];
}

const checkConnections = ({ used, limit }: Server): Finding =>
  used > limit * fewConnections
    ? warning(
        'connections',
        `${used} of ${limit} are in use: raise max_connections, or lower DATABASE_POOL_SIZE or the number of processes`,
      )
    : ok('connections', `${used} of ${limit} are in use`);

async function checkVersion(database: Database, production: boolean): Promise<Finding[]> {
  let warnings: readonly string[];
  try {
    warnings = await checkSchema((sql) => database.query(sql));
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return [fault('schema', `${error.message}. Run "lensforge-operate migrate" of the release that the services run`)];
  }
  const risky = production && (await mayRewriteAudit((sql) => database.query(sql)));
  return [
    ...(warnings.length > 0
      ? warnings.map((text) => warning('schema', `${text}: finish the upgrade, or stay until it is repeated`))
      : [ok('schema', `version ${newestSchema()}`)]),
    risky
      ? warning(
          'database role',
          'this role can change the audit log and the ledger: give the services one from "lensforge-operate migrate --app-role <name>"',
        )
      : ok('database role', 'cannot change the audit log, or this is no production'),
  ];
}
