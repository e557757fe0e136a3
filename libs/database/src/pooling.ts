import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type DatabaseAddress, toConnection } from './database-address.js';
import { readPatience } from './patience.js';
import { type SessionSettings, missingSettings } from './session-settings.js';

/** How long a client of a connection pooler such as PgBouncer has the same server session; `none` without a pooler. */
export type Pooling = 'none' | 'session' | 'transaction' | 'statement';

/** A connection pooler that cannot be used; the message is for the operator. */
export class UnsuitablePooler extends Error {
  override readonly name = 'UnsuitablePooler';
}

/** The connect is the first of a process, which may still be loading its modules. */
const timeoutMs = 5000 * readPatience();

/** Finds the mode of a connection pooler at this address. It opens one connection, and a second one to a pooler. */
export async function findPooling(address: DatabaseAddress): Promise<Pooling> {
  const probe = await openProbe(address);
  try {
    return await detectPooling(probe, address);
  } finally {
    await probe.end();
  }
}

/**
 * Throws UnsuitablePooler unless services can work through the pooler. In transaction mode it must translate the names of
 * prepared statements, and the limits of services must be defaults of the role, as a session belongs to no client.
 */
export async function requireUsablePooling(
  address: DatabaseAddress,
  settings: SessionSettings | undefined,
): Promise<Exclude<Pooling, 'statement'>> {
  const probe = await openProbe(address);
  try {
    const pooling = await detectPooling(probe, address);
    if (pooling === 'statement') throw new UnsuitablePooler(statementMode);
    if (pooling !== 'transaction') return pooling;
    if (!(await translatesStatements(probe))) throw new UnsuitablePooler(withoutStatements);
    const missing = settings ? await missingSettings(probe, settings) : [];
    if (missing.length > 0) throw new UnsuitablePooler(withoutLimits(missing));
    return pooling;
  } finally {
    await probe.end();
  }
}

const statementMode = 'the connection pooler there is in statement mode: set pool_mode to transaction or session';
const withoutStatements =
  'the connection pooler there is in transaction mode without prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements 200, or pool_mode session';
const withoutLimits = (missing: readonly string[]): string =>
  `the connection pooler there is in transaction mode, and its role has no default for ${missing.join(', ')}: ` +
  'run "lensforge-operate set-role-limits" with the DATABASE_URL of the services, then RECONNECT in PgBouncer';

/** The driver has the process id that the server sent at the connect. */
interface Probe extends Client {
  readonly processID: number | null;
}

async function openProbe(address: DatabaseAddress): Promise<Probe> {
  const client = new Client({
    ...toConnection(address),
    application_name: 'pooling check',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client as unknown as Probe;
}

async function detectPooling(probe: Probe, address: DatabaseAddress): Promise<Pooling> {
  const backend = await readBackendPid(probe);
  // A pooler sends process ids of its own.
  if (backend === probe.processID) return 'none';
  const other = await openProbe(address);
  try {
    return (await changesBackends(probe, other)) ? 'transaction' : 'session';
  } catch (error) {
    if (error instanceof Error && error.message.includes('statement pooling mode')) return 'statement';
    throw error;
  } finally {
    await other.end();
  }
}

async function readBackendPid(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

/**
 * True when a client gets another session in a later transaction. Two clients take two sessions and give them back. Then
 * the first client takes one first, which is not its own if the pooler hands out the newest; then the second client does,
 * which gets the one of the first if the pooler hands out the oldest.
 */
async function changesBackends(one: Client, other: Client): Promise<boolean> {
  const rounds = [
    await backendsInTransactions([one, other], [one, other]),
    await backendsInTransactions([one, other], [one, other]),
    await backendsInTransactions([other, one], [one, other]),
  ];
  return [one, other].some((client) => new Set(rounds.map((backends) => backends.get(client))).size > 1);
}

type Pair = readonly [Client, Client];

async function backendsInTransactions(begin: Pair, commit: Pair): Promise<Map<Client, number | undefined>> {
  const backends = new Map<Client, number | undefined>();
  for (const client of begin) {
    await client.query('begin');
    backends.set(client, await readBackendPid(client));
  }
  for (const client of commit) await client.query('commit');
  return backends;
}

/** A pooler that follows prepared statements gives them names of its own at the server. */
async function translatesStatements(client: Client): Promise<boolean> {
  const name = `lensforge_${randomBytes(8).toString('hex')}`;
  await client.query('begin');
  await client.query({ name, text: 'select 1' });
  const { rows } = await client.query(`select 1 from pg_prepared_statements where name = '${name}'`);
  if (rows.length > 0) await client.query(`deallocate ${name}`);
  await client.query('commit');
  return rows.length === 0;
}
