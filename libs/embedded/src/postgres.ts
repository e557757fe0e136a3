import type { ChildProcess } from 'node:child_process';
import { type ExitStatus, waitForExit, followLines, pause, terminate, withTimeout } from './child-process.js';
import { freePort } from './free-port.js';
import { type DataFolder, claimFolder, openFolder, removeStaleLock, superuser } from './postgres-folder.js';
import { ServerFault } from './server-fault.js';
import { killWithParent } from './kill-with-parent.js';

export interface PostgresOptions {
  dataDir: string;
  /** A free port by default. */
  port?: number;
  log?: (line: string) => void;
  /** For tests: several times as fast, but not durable after a power failure. */
  fast?: boolean;
  /** The folder with the programs of an installed PostgreSQL; by default the embedded one is used. */
  installed?: string | undefined;
  /** For tests: the data folder of a stopped server, whose copy a missing one begins with. */
  copyOf?: string | undefined;
  /** A library that the server loads when it starts, such as pg_stat_statements. */
  preload?: string;
}

export interface PostgresServer {
  url: string;
  pid: number;
  port: number;
  version: string;
  /** Resolves when the server has ended, with its last log line and exit status. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

interface Launched {
  child: ChildProcess;
  ended: Promise<ExitStatus>;
  output: string[];
  ready: boolean;
}

const database = 'lensforge';

const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  checkpoint_timeout: '1h',
  max_wal_size: '4GB',
};

const embeddedSettings = {
  max_connections: 200,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
  logging_collector: 'off',
};

/** An installed PostgreSQL keeps its own settings. */
const settings = (port: number, { installed, fast = false, preload }: PostgresOptions): string[] =>
  Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...(installed === undefined && embeddedSettings),
    ...(installed === undefined && fast && fastSettings),
    ...(preload !== undefined && { shared_preload_libraries: preload }),
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

async function launch(folder: DataFolder, port: number, options: PostgresOptions): Promise<Launched> {
  const { runner, path } = folder;
  const child = runner.start(runner.binaries.postgres, ['-D', path, ...settings(port, options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = waitForExit(child);
  let output: string[] = [];
  const isReady = new Promise<boolean>((resolve) => {
    output = followLines([child.stdout, child.stderr], (line) => {
      options.log?.(line);
      if (line.includes('database system is ready to accept connections')) resolve(true);
    });
  });
  const ready = (await withTimeout(Promise.race([isReady, ended.then(() => false)]), 120_000)) ?? false;
  if (!ready) await terminate(child, ended, ['SIGQUIT', 2000], ['SIGKILL', 0]);
  return { child, ended, output, ready };
}

/** Retries while child processes of a killed server still hold its shared memory. */
async function launchWithRetry(folder: DataFolder, port: number, options: PostgresOptions): Promise<Launched> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const launched = await launch(folder, port, options);
    const isTemporary = /pre-existing shared memory block|is still in use/.test(launched.output.join('\n'));
    if (launched.ready || !isTemporary || Date.now() > deadline) return launched;
    await pause(300);
  }
}

function explain(output: string[], path: string, port: number): string {
  const text = output.join('\n');
  if (/could not bind|Address already in use/.test(text)) {
    return `Port ${port} is already taken, so PostgreSQL cannot listen on it: choose another port or stop the program that uses it.`;
  }
  if (/lock file "postmaster.pid" already exists/.test(text)) {
    return `A PostgreSQL server is already running on ${path}: stop it first.`;
  }
  const fatal = output.findLast((line) => /FATAL|PANIC|error/i.test(line)) ?? output.at(-1) ?? 'no output';
  return `PostgreSQL did not start on ${path}: ${fatal.replace(/^(FATAL|PANIC):\s*/, '')}`;
}

async function ensureDatabase(url: string): Promise<void> {
  // Loaded here, so that programs which start no server begin sooner.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url.replace(/\/[^/]*$/, '/postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${database}`);
  } finally {
    await client.end();
  }
}

/** The installed PostgreSQL that LENSFORGE_POSTGRES_BIN selects for platforms and tests. */
const installedFolder = (): string | undefined => process.env['LENSFORGE_POSTGRES_BIN'] || undefined;

export async function startPostgres(request: PostgresOptions): Promise<PostgresServer> {
  const options = { ...request, installed: request.installed ?? installedFolder() };
  const port = options.port ?? (await freePort());
  const folder = await openFolder(options.dataDir, options);
  await removeStaleLock(folder);
  await claimFolder(folder);
  const { child, ended, output, ready } = await launchWithRetry(folder, port, options);
  const { pid } = child;
  if (!ready || pid === undefined) throw new ServerFault(explain(output, folder.path, port));

  const cancelKill = killWithParent(pid, 'INT');
  const canceled = ended.then(cancelKill);
  const stop = async (): Promise<void> => {
    await terminate(child, ended, ['SIGINT', 10_000], ['SIGQUIT', 5000], ['SIGKILL', 0]);
    await canceled;
  };
  const url = `postgres://${superuser}:${folder.password}@127.0.0.1:${port}/${database}`;
  try {
    await ensureDatabase(url);
  } catch (error) {
    await stop();
    throw error;
  }
  const endMessage = ended.then(({ code, signal }) =>
    `${output.at(-1) ?? ''} (${signal ?? `exit code ${code}`})`.trim(),
  );
  return { url, pid, port, version: folder.runner.binaries.version, ended: endMessage, stop };
}
