import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase } from '@lensforge/database';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { parseAllDocuments } from 'yaml';
import { listAt, textAt } from './manifest.js';

const k8s = join(import.meta.dirname, '..', '..', '..', 'k8s');
const role = `scaler_${process.pid}_${Date.now()}`;

/** The query of a trigger, as in the manifests. */
function queryOf(trigger: string): string {
  const documents = parseAllDocuments(readFileSync(join(k8s, 'components', 'scaling', 'scaled-objects.yaml'), 'utf8'));
  const triggers = documents.flatMap((document) => listAt(document.toJS(), 'spec.triggers'));
  return textAt(
    triggers.find((each) => textAt(each, 'name') === trigger),
    'metadata.query',
  );
}

let database: TestDatabase;
let scaler: Awaited<ReturnType<typeof openDatabase>>;

beforeAll(async () => {
  database = await openTestDatabase();
  const sql = readFileSync(join(k8s, 'scaler-role.sql'), 'utf8')
    .replaceAll('lensforge_scaler', role)
    .replace(":'password'", "'a-test-password'");
  await database.source.query(sql);
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'a-test-password'];
  scaler = await openDatabase({ url: url.href, applicationName: 'spec', poolSize: 1 });
});
afterAll(async () => {
  await scaler.destroy();
  await database.source.query(`drop owned by ${role}; drop role ${role}`);
  await database.close();
});

const counted = async (trigger: string): Promise<number> => {
  const [row] = await scaler.query<[{ count?: string; greatest?: string }]>(queryOf(trigger));
  return Number(row.count ?? row.greatest);
};

/** Writes rows as they are, without the rest of their aggregates. */
const insert = (sql: string): Promise<unknown> =>
  database.source.transaction(async (manager) => {
    await manager.query(`set local session_replication_role = replica`);
    await manager.query(sql);
  });

const aRun = (status: string, waitsFor?: string): string =>
  `insert into runs (id, request_id, account_id, kind, params, status, waits_for, admitted_at, deadline_at, model_id, lease_until, completed_at)
   values ('${randomUUID()}', '${randomUUID()}', '${randomUUID()}', 'lens', '{}', '${status}', ${waitsFor ? `'${waitsFor}', null` : 'null, now()'},
           now(), '${randomUUID()}', ${status === 'running' ? 'now()' : 'null'}, ${status === 'succeeded' ? 'now()' : 'null'})`;

const aNode = (status: string): string =>
  `insert into node_results (run_id, node_key, node_id, type, status, lease_until, completed_at)
   values ('${randomUUID()}', 'n', 'n', 'lens', '${status}', ${status === 'running' ? 'now()' : 'null'}, ${status === 'succeeded' ? 'now()' : 'null'})`;

it('the backlog is the admitted runs, or the open nodes where these are more', async () => {
  await expect(counted('backlog')).resolves.toBe(0);
  for (const row of [aRun('queued'), aRun('running'), aRun('queued', 'slot'), aRun('succeeded')]) await insert(row);
  await expect(counted('backlog')).resolves.toBe(2);
  for (const row of ['queued', 'queued', 'running', 'waiting', 'pending', 'succeeded'].map(aNode)) await insert(row);
  await expect(counted('backlog')).resolves.toBe(3);
});

it('due deliveries are those that a dispatcher sends or could send now', async () => {
  const aDelivery = (state: string, nextAt: string): string =>
    `insert into webhook_deliveries (id, endpoint_id, event_id, account_id, state, next_at, slot, lease_until, ended_at)
     values ('${randomUUID()}', '${randomUUID()}', '${randomUUID()}', '${randomUUID()}', '${state}', ${nextAt},
             ${state === 'sending' ? '1, now()' : 'null, null'}, ${state === 'delivered' ? 'now()' : 'null'})`;
  await expect(counted('due')).resolves.toBe(0);
  await insert(aDelivery('pending', "now() - interval '1 s'"));
  await insert(aDelivery('pending', "now() + interval '1 h'"));
  await insert(aDelivery('sending', 'now()'));
  await insert(aDelivery('delivered', 'now()'));
  await expect(counted('due')).resolves.toBe(2);
});

it.each([
  ['parameters of runs', 'select params from runs'],
  ['accounts', 'select * from accounts'],
  ['the output of nodes', 'select output from node_results'],
  ['and ends no run', "update runs set status = 'canceled'"],
])('the role of KEDA does not read %s', async (_, sql) => {
  await expect(scaler.query(sql)).rejects.toThrow(/permission denied|read-only transaction/);
});
