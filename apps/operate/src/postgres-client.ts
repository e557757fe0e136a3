import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { UsageError } from './command.js';

const run = promisify(execFile);

/** The settings of libpq that URLs have as parameters. */
const parameters: Readonly<Record<string, string>> = {
  sslmode: 'PGSSLMODE',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslrootcert: 'PGSSLROOTCERT',
};

/** A database URL as the environment of libpq: arguments of a program are visible to other users. */
export function connectionSettings(databaseUrl: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const found = {
    PGHOST: searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, ''),
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    ...Object.fromEntries(
      Object.entries(parameters).map(([name, variable]) => [variable, searchParams.get(name) ?? '']),
    ),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== ''));
}

export interface ClientRequest {
  databaseUrl: string;
  /** The folders in which programs are searched. */
  path: string;
}

/** Runs pg_dump or pg_restore; throws a message for operators. */
export async function runPostgresClient(
  program: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  { databaseUrl, path }: ClientRequest,
): Promise<string> {
  const env = { PATH: path, ...connectionSettings(databaseUrl) };
  try {
    const { stdout } = await run(program, args, { env, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT')
      throw new UsageError(
        `${program} is not on PATH: install the client of PostgreSQL, in the version of the server or a newer one`,
      );
    throw new UsageError(stderr.trim().split('\n').slice(-5).join('\n') || `${program} failed (${String(code)})`);
  }
}
