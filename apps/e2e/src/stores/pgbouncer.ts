import { spawnSync } from 'node:child_process';
import { freePort } from '@lensforge/embedded';
import { findProgram, startProgram, temporaryFolder } from './programs.js';

// oxlint-disable-next-line lensforge/environment-at-the-edge -- chooses the program that is tested
const pgbouncerFile = (): string => process.env['LENSFORGE_PGBOUNCER'] ?? findProgram('pgbouncer') ?? '';

/** PgBouncer follows prepared statements since 1.21. */
export function followsStatements(): boolean {
  const { stdout } = spawnSync(pgbouncerFile(), ['--version'], { encoding: 'utf8' });
  const [, major = 0, minor = 0] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

export interface PgBouncer {
  url: string;
  /** Replaces all server connections, as RECONNECT does. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts PgBouncer before the server of `to`, for the user of that address. */
export async function startPgBouncer(
  to: string,
  poolMode: 'session' | 'transaction' | 'statement',
  settings: readonly string[] = [],
): Promise<PgBouncer> {
  const { port: serverPort, username, password } = new URL(to);
  const port = await freePort();
  const folder = temporaryFolder();
  const users = folder.write('users.txt', `"${username}" "${decodeURIComponent(password)}"\n`);
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    `admin_users = ${username}`,
    `pool_mode = ${poolMode}`,
    'default_pool_size = 60',
    'max_client_conn = 500',
    ...settings,
  ];
  const args = [folder.write('pgbouncer.ini', `${lines.join('\n')}\n`)];
  const start = () => startProgram({ file: pgbouncerFile(), args, port, folder });
  let program = await start();
  const url = new URL(to);
  url.port = `${port}`;
  return {
    url: url.href,
    restart: async () => {
      await program.stop();
      program = await start();
    },
    stop: async () => {
      await program.stop();
      folder.remove();
    },
  };
}
