import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresServer, freePort, startPostgres } from '@lensforge/embedded';
import { until } from '@lensforge/testing';
import { type Folder, type Program, findProgram, startProgram, unprivileged } from './programs.js';

/** The folder with the programs of the newest installed PostgreSQL; undefined when none is installed. */
export function installedPostgres(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const found = existsSync(versions) ? readdirSync(versions).sort((one, other) => Number(other) - Number(one)) : [];
  return found.map((version) => join(versions, version, 'bin')).find((bin) => existsSync(join(bin, 'pg_basebackup')));
}

export interface PostgresPair {
  primary: PostgresServer;
  standby: Program;
  standbyPort: number;
  /** Makes the standby accept writes. */
  promote(): void;
}

/** Starts a primary and a standby that streams from it. Without `reads` the standby refuses connections until it is promoted. */
export async function startPair(folder: Folder, { reads = true } = {}): Promise<PostgresPair> {
  const bin = installedPostgres() ?? '';
  const primary = await startPostgres({ dataDir: join(folder.path, 'primary'), installed: bin });
  const port = await freePort();
  const data = join(folder.path, 'standby');
  const copy = ['-D', data, '-d', primary.url, '-R', '-X', 'stream', '-c', 'fast', '-C', '-S', 'standby'];
  run(join(bin, 'pg_basebackup'), copy);
  const options = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', `hot_standby=${reads}`];
  const settings = options.flatMap((each) => ['-c', each]);
  const standby = await startProgram({ file: join(bin, 'postgres'), args: ['-D', data, ...settings], port, folder });
  return {
    primary,
    standby,
    standbyPort: port,
    promote: () => run(join(bin, 'pg_ctl'), ['promote', '-w', '-D', data]),
  };
}

function run(file: string, args: readonly string[]): void {
  const identity = unprivileged === undefined ? {} : { uid: unprivileged, gid: unprivileged };
  const { status, stderr } = spawnSync(file, args, { encoding: 'utf8', cwd: '/', ...identity });
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
}

/** Starts HAProxy, which leads to the server that accepts connections: the standby refuses them until it is promoted. */
export async function startHaproxy(
  folder: Folder,
  { url, ports }: { url: string; ports: readonly [primary: number, standby: number] },
): Promise<{ url: string; program: Program }> {
  const through = new URL(url);
  const port = await freePort();
  const lines = [
    'defaults',
    '  mode tcp',
    '  timeout connect 1s',
    '  timeout client 30m',
    '  timeout server 30m',
    // A server that is only slow stays up: a dead one refuses connections at once.
    '  timeout check 20s',
    'listen postgres',
    `  bind 127.0.0.1:${port}`,
    `  option pgsql-check user ${through.username}`,
    '  default-server check inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...ports.map((each, index) => `  server postgres${index} 127.0.0.1:${each}`),
    '',
  ];
  const args = ['-db', '-f', folder.write('haproxy.cfg', lines.join('\n'))];
  const program = await startProgram({ file: findProgram('haproxy') ?? '', args, port, folder });
  through.port = `${port}`;
  // It takes both servers for primaries until it has checked them.
  const isFound = (line: string): boolean => line.includes('postgres1 is DOWN');
  await until(() => program.output.some(isFound), { what: 'HAProxy to find the standby' });
  return { url: through.href, program };
}
