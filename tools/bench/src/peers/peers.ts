import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { Call } from '../load/connection.js';
import { type Child, startChild } from '../setup/child-program.js';
import { freePort, waitUntilReady } from '../setup/ports.js';
import { peerVersions } from './install-peers.js';

/** A running engine, ready for jobs. */
export interface RunningPeer {
  /** Accepts one job. */
  accept: Call;
  count(): Promise<number>;
  stop(): Promise<void>;
}

/** An engine that a team could use in place of the platform. */
export interface Peer {
  name: string;
  /** It stores jobs in PostgreSQL or in a log of its own, and so promises about as much for a job. */
  isDurable: boolean;
  start(servers: PeerServers): Promise<RunningPeer>;
}

export interface PeerServers {
  /** A server on which each peer gets a database of its own. */
  databaseUrl: string;
  /** The module that loads the packages of the peers. */
  loader: string;
  /** The body of an execution. */
  body: string;
}

const withVersion = (name: string, version: keyof typeof peerVersions): string => `${name} ${peerVersions[version]}`;

export const peers: readonly Peer[] = [
  onPostgres(withVersion('pg-boss', 'pg-boss'), 'pg-boss'),
  onPostgres(withVersion('Graphile Worker', 'graphile-worker'), 'graphile-worker'),
  onPostgres(withVersion('DBOS', '@dbos-inc/dbos-sdk'), 'dbos'),
  { name: withVersion('Restate', '@restatedev/restate-server'), isDurable: true, start: startRestate },
  { name: 'BullMQ, Redis with an fsync for each write', isDurable: false, start: startBullMq },
];

function onPostgres(name: string, program: string): Peer {
  return {
    name,
    isDurable: true,
    start: async ({ databaseUrl, ...servers }) => {
      const url = new URL(databaseUrl);
      url.pathname = `/peer_${program.replace('-', '_')}`;
      await createDatabase(databaseUrl, url.pathname.slice(1));
      return startPrograms(program, { DATABASE_URL: url.href }, servers);
    },
  };
}

async function createDatabase(databaseUrl: string, name: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
}

/** A worker, and a program that accepts the jobs. */
async function startPrograms(
  program: string,
  environment: Record<string, string>,
  { loader, body }: Omit<PeerServers, 'databaseUrl'>,
): Promise<RunningPeer> {
  const children: Child[] = [];
  const start = async (role: 'worker' | 'api'): Promise<number> => {
    const port = await freePort();
    const settings = { ...environment, PEERS: loader, ROLE: role, PORT: `${port}` };
    const child = startChild(`peers/${program}.js`, settings);
    children.push(child);
    await waitUntilReady(port, `${program} (${role})`, () => child.process.exitCode === null);
    return port;
  };
  const worker = await start('worker');
  const api = await start('api');
  return {
    accept: { port: api, method: 'POST', path: '/jobs', body },
    count: createCounter(worker),
    stop: async () => {
      await Promise.all(children.map((child) => child.stop()));
    },
  };
}

const createCounter = (port: number) => async (): Promise<number> =>
  Number(await (await fetch(`http://127.0.0.1:${port}/count`)).text());

async function startBullMq(servers: PeerServers): Promise<RunningPeer> {
  const [folder, port] = [await temporaryFolder(), await freePort()];
  const args = ['--port', `${port}`, '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  const peer = await startPrograms('bullmq', { REDIS_URL: `redis://127.0.0.1:${port}` }, servers);
  return withServer(peer, server, folder);
}

async function startRestate({ loader, body }: PeerServers): Promise<RunningPeer> {
  const folder = await temporaryFolder();
  const [ingress, admin, own, service, port] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const at = (each: number): string => `127.0.0.1:${each}`;
  const server = spawn(findRestateServer(loader), ['--node-name', 'bench', '--base-dir', folder], {
    stdio: 'ignore',
    env: {
      ...process.env,
      RESTATE_INGRESS__BIND_ADDRESS: at(ingress),
      RESTATE_ADMIN__BIND_ADDRESS: at(admin),
      RESTATE_BIND_ADDRESS: at(own),
      RESTATE_DISABLE_TELEMETRY: 'true',
    },
  });
  const settings = { PEERS: loader, SERVICE_PORT: `${service}`, PORT: `${port}` };
  const child = startChild('peers/restate.js', settings);
  await waitUntilReady(port, 'the service of Restate', () => child.process.exitCode === null);
  await waitUntilReady(admin, 'Restate', () => server.exitCode === null, '/health');
  const answer = await fetch(`http://${at(admin)}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://${at(service)}`, force: true }),
  });
  if (!answer.ok) throw new Error(`Restate does not take the service: ${await answer.text()}`);
  const peer = {
    accept: { port: ingress, method: 'POST', path: '/jobs/run/send', body } satisfies Call,
    count: createCounter(port),
    stop: () => child.stop(),
  };
  return withServer(peer, server, folder);
}

/** The program is in the package of the platform. */
function findRestateServer(loader: string): string {
  const platform = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  const manifest = createRequire(loader).resolve(`${platform}/package.json`);
  return join(dirname(manifest), 'bin', 'restate-server');
}

const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'lensforge-peer-'));

function withServer(peer: RunningPeer, server: ChildProcess, folder: string): RunningPeer {
  return {
    ...peer,
    stop: async () => {
      await peer.stop();
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
