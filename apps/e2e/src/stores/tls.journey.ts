import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase } from '@lensforge/database';
import { type PostgresServer, freePort, startPostgres } from '@lensforge/embedded';
import { nothingFound } from '../audit.js';
import { TestPlatform } from '../test-platform.js';
import { type Certificates, makeCertificates } from './certificates.js';
import { type Program, describeWith, temporaryFolder } from './programs.js';
import { startRedisServer } from './redis-server.js';

describeWith(['openssl', 'redis-server'])('TLS with own CAs', () => {
  const folder = temporaryFolder();
  const root = join(import.meta.dirname, '..', '..', '..', '..');
  let ofDatabase: Certificates;
  let ofRedis: Certificates;
  let postgres: PostgresServer;
  let redis: Program;
  let redisUrl: string;
  let setup: TestPlatform;

  beforeAll(async () => {
    ofDatabase = makeCertificates(folder, 'database');
    ofRedis = makeCertificates(folder, 'redis');
    const dataDir = join(folder.path, 'pg');
    postgres = await startPostgres({ dataDir, fast: true });
    await requireTls(dataDir);
    const port = await freePort();
    const { certificateFile, keyFile, caFile } = ofRedis;
    const files = ['--tls-cert-file', certificateFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', caFile];
    redis = await startRedisServer(folder, port, [
      '--port',
      '0',
      '--tls-port',
      `${port}`,
      '--tls-auth-clients',
      'no',
      ...files,
      ...'--user default off'.split(' '),
      // The user of docs/stores.md: services of providers lack CONFIG and other commands of administrators, too.
      ...'--user lensforge on >a-long-phrase ~lensforge* ~{lensforge* &lensforge* +@all -@admin -@dangerous +info'.split(
        ' ',
      ),
    ]);
    redisUrl = `rediss://lensforge:a-long-phrase@127.0.0.1:${port}`;
    const cas = { databaseCa: ofDatabase.ca, redisCa: ofRedis.ca };
    setup = await TestPlatform.open({ allInOne: true, databaseUrl: postgres.url, redisUrl, ...cas });
  });
  afterAll(async () => {
    await setup.close();
    await redis.stop();
    await postgres.stop();
    folder.remove();
  });

  /** Switches TLS on, and refuses connections without it. */
  async function requireTls(dataDir: string): Promise<void> {
    const source = await openDatabase({ url: postgres.url, applicationName: 'journey' });
    await source.query(`alter system set ssl_cert_file = '${ofDatabase.certificateFile}'`);
    await source.query(`alter system set ssl_key_file = '${ofDatabase.keyFile}'`);
    await source.query('alter system set ssl = on');
    const file = join(dataDir, 'pg_hba.conf');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^host /gm, 'hostssl '));
    await source.query('select pg_reload_conf()');
    await source.destroy();
  }

  function run(program: string, environment: Record<string, string>, ...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join('bundle', `${program}.js`), ...args], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        DATABASE_URL: postgres.url,
        REDIS_URL: redisUrl,
        LENSFORGE_MASTER_KEY: setup.masterKey,
        ...environment,
      },
      timeout: 30_000,
    });
    return { status, output: `${stdout.toString()}${stderr.toString()}`.trim() };
  }

  it('carries the whole platform, with every connection of services encrypted', async () => {
    await Promise.all(Array.from({ length: 10 }, () => setup.accepted()));
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
    const rows = await setup.db.query<{ service: string; encrypted: boolean }[]>(
      `select distinct split_part(application_name, ' ', 1) as service, ssl as encrypted
         from pg_stat_activity join pg_stat_ssl using (pid)
        where datname = current_database() and application_name <> 'journey' order by 1`,
    );
    expect(rows).toEqual(
      ['api-gateway', 'mcp-gateway', 'oauth', 'run-worker', 'webhook-dispatcher'].map((service) => ({
        service,
        encrypted: true,
      })),
    );
  });

  it('is there for operators, too, with the CA in a file', () => {
    expect(run('lensforge-operate', { DATABASE_CA_FILE: ofDatabase.caFile }, 'migrate')).toEqual({
      status: 0,
      output: 'the schema is up to date',
    });
  });

  it('refuses a database that is signed by another CA, and one without encryption', () => {
    const { status, output } = run('run-worker', { DATABASE_CA_FILE: ofRedis.caFile });
    expect(status).toBe(1);
    expect(output).toMatch(/^run-worker cannot start: the database at [\d.:]+\/lensforge cannot be opened: /);
    expect(output).toMatch(/certificate/);
    expect(output.split('\n')).toHaveLength(1);
    expect(run('run-worker', {}).output).toContain('no encryption');
  });
});
