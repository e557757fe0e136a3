import { randomBytes } from 'node:crypto';
import { verifyStatements } from '@lensforge/audit';
import { platformActor } from '@lensforge/core';
import { Metrics, type Platform, type Service, createLogger, startService } from '@lensforge/edge';
import { attestedAuditKeys, createUser, readAuditKeys } from '@lensforge/identity';
import { aContext, serviceSettings, until } from '@lensforge/testing';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import type { DataSource } from 'typeorm';
import { signAuditHourly } from '../src/audit-signer.js';
import { oauth } from '../src/service.js';

const masterKey = randomBytes(32).toString('base64');
let database: TestDatabase;
let source: DataSource;
let services: Service[];
let environment: Record<string, string>;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  const ctx = { ...aContext(source.manager), actor: platformActor };
  await createUser(ctx, { email: 'ada@example.org', password: 'a-fine-phrase' });
  environment = {
    ...serviceSettings(database.url),
    LENSFORGE_MASTER_KEY: masterKey,
  };
  const logger = createLogger({ service: 'oauth', level: 'silent' });
  services = await Promise.all([1, 2].map(() => startService(oauth, { logger, environment })));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await database.close();
});

const countOf = async (table: string) =>
  (await source.query<[{ count: number }]>(`select count(*)::int as count from ${table}`))[0].count;
const publishedBy = async (path: string) => (await fetch(`${services[0]?.url}${path}`)).text();

describe('the oauth service', () => {
  it('signs the audit log once at the start of several replicas, with a published key', async () => {
    await until(async () => (await countOf('audit_statements')) > 0);
    expect(await countOf('audit_statements')).toBe(1);
    const keys = readAuditKeys(await publishedBy('/id/audit-keys.json'));
    expect(await verifyStatements(source.manager, { keys })).toMatchObject({ statements: 1, broken: 0 });
    expect([...(await attestedAuditKeys({ db: source.manager }, keyRing(readMasterKeys(masterKey)))).keys()]).toEqual([
      ...keys.keys(),
    ]);
    expect(await publishedBy('/id/jwks.json')).not.toContain([...keys.keys()][0]);
    const metrics = await Promise.all(
      services.map(({ url }) => fetch(`${url}/metrics`).then((answer) => answer.text())),
    );
    expect(metrics.join('\n').match(/lensforge_audit_statements_total\{.*outcome="signed".*\} 1$/gm)).toHaveLength(1);
  });

  it('refuses to start with a master key that is not the one of its database', async () => {
    const wrong = { ...environment, LENSFORGE_MASTER_KEY: randomBytes(32).toString('base64') };
    const logger = createLogger({ service: 'oauth', level: 'silent' });
    await expect(startService(oauth, { logger, environment: wrong })).rejects.toMatchObject({
      name: 'WrongMasterKey',
      message: expect.stringMatching(/^LENSFORGE_MASTER_KEY: version 1 is not the key that oauth recorded/),
    });
  });
});

describe('a running audit signer', () => {
  it('logs once that known statements were deleted, and signs nothing more', async () => {
    const lines: string[] = [];
    const hooks: (() => unknown)[] = [];
    const platform = {
      environment: { production: true },
      database: source,
      drain: { onDrain: (_name: string, hook: () => unknown) => hooks.push(hook) },
      logger: createLogger({ service: 'x', to: { write: (line) => void lines.push(line) } }),
      metrics: new Metrics('x'),
      now: () => new Date(),
    } as unknown as Platform;
    const failures = async () =>
      (await platform.metrics.registry.getSingleMetric('lensforge_audit_statements_total')?.get())?.values.find(
        ({ labels }) => labels['outcome'] === 'failed',
      )?.value;
    const deleteAll = () =>
      source.transaction(async (db) => {
        await db.query('set local session_replication_role = replica');
        await db.query(
          'delete from audit_signed_heads; delete from audit_statements; delete from audit_newest_statement',
        );
      });
    await deleteAll();
    signAuditHourly(platform, keyRing(readMasterKeys(masterKey)), 20);
    await until(() => lines.length === 1);
    expect(lines[0]).toContain('the audit log was signed for the first time; if it was signed before');
    await deleteAll();
    await until(async () => ((await failures()) ?? 0) > 3);
    for (const hook of hooks) await hook();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('the log was rewritten');
    expect(await countOf('audit_statements')).toBe(0);
  });
});
