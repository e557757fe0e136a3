import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '@lensforge/database';
import { applicationRole } from '@lensforge/dev';
import { maintainRunPartitions } from '@lensforge/runs';
import { type WebhookReceiver, startWebhookReceiver, until } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { nothingFound } from './audit.js';
import { TestPlatform } from './test-platform.js';

/** The platform as in production: its services connect with a role that owns no tables. */
const operateProgram = fileURLToPath(new URL('../../../bundle/lensforge-operate.js', import.meta.url));

let setup: TestPlatform;
let services: DataSource;
let servicesUrl: string;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  setup = await TestPlatform.open({ allInOne: true, environment: { NODE_ENV: 'production' } });
  const url = new URL(setup.platform.databaseUrl);
  url.username = applicationRole;
  url.password = encodeURIComponent((await readFile(join(setup.platform.home, 'database.password'), 'utf8')).trim());
  servicesUrl = url.href;
  services = await openDatabase({ url: servicesUrl, applicationName: 'database-roles.journey' });
});
afterAll(async () => {
  await services.destroy();
  await receiver.close();
  await setup.close();
});

const operate = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [operateProgram, ...words], {
    env: { PATH: process.env['PATH'], DATABASE_URL: servicesUrl, LENSFORGE_MASTER_KEY: setup.masterKey },
    timeout: 120_000,
  });
  return { status, output: `${stdout.toString()}${stderr.toString()}`.trim() };
};

const asked = async (
  method: string,
  path: string,
  body?: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  const token = setup.platform.tokens['session'] ?? '';
  const { status, body: answer } = await setup.call(method, path, { token, ...(body && { body }) });
  expect({ path, ok: status < 300, error: answer.error }).toEqual({ path, ok: true, error: null });
  return answer.data ?? {};
};

describe('services whose database role owns nothing', () => {
  it('connect with the restricted role and log no warning', async () => {
    const rows = await setup.db.query<{ name: string; role: string }[]>(
      `select application_name as name, usename as role from pg_stat_activity
        where application_name ~ '^(api-gateway|mcp-gateway|oauth|run-worker|webhook-dispatcher)'`,
    );
    expect(new Set(rows.map((row) => row.role))).toEqual(new Set([applicationRole]));
    expect(new Set(rows.map((row) => row.name.replace(' health', ''))).size).toBe(5);
    expect(setup.platform.recentLines.join('\n')).not.toContain('can change the audit log');
  });

  it('can serve all requests of users', async () => {
    await asked('POST', '/v1/webhook-endpoints', { url: receiver.url, events: ['run.completed'] });
    const templateBody = 'Say [[What]] in such a way that everybody who hears it understands it at once.';
    const lens = await asked('POST', '/v1/lenses', { title: 'Mine', templateBody });
    await asked('PATCH', `/v1/lenses/${String(lens['id'])}`, { templateBody: `${templateBody} Be brief.` });
    await asked('POST', '/v1/byok-keys', {
      provider: 'openai',
      label: 'mine',
      secret: 'sk-a-key-of-my-own-0123456789',
    });
    const runId = await setup.accepted({ body: { params: { Name: 'Grace' } } });
    await asked('POST', `/v1/workflows/${setup.platform.workflowId}/run`, {
      inputs: { product: 'Lensforge', audiences: ['all'] },
    });
    await setup.allEnded();
    expect(await setup.statusOf(runId)).toBe('succeeded');
    await until(() => receiver.requests.some(({ body }) => body.includes(runId)), { what: 'the webhook' });
    await asked('GET', '/v1/credits');
    expect(await setup.findings()).toEqual(nothingFound);
  });

  it('can create and drop partitions of runs', async () => {
    await setup.db.query(`select make_run_partitions(now() - interval '8 months', -1)`);
    const ctx = { ...setup.ctx, db: services.manager };
    const { dropped, left } = await maintainRunPartitions(ctx, { days: 90, lockMs: 2000, page: 100 });
    expect(dropped.filter((part) => part.startsWith('runs_'))).toHaveLength(1);
    expect(left).toEqual([]);
    const future = `to_char((date_trunc('month', now(), 'UTC') + interval '3 months') at time zone 'UTC', 'YYYYMM')`;
    const [{ part }] = await setup.db.query<[{ part: string }]>(`select 'run_labels_' || ${future} as part`);
    await setup.db.query(`drop table ${part}`);
    expect((await maintainRunPartitions(ctx, { days: 90, lockMs: 2000, page: 100 })).made).toEqual([part]);
  });

  it('can run the commands of operators with that role', () => {
    const [alice] = setup.platform.users;
    expect(operate('grant-credits', String(alice?.lenserId), '100')).toMatchObject({ status: 0 });
    expect(operate('rotate-signing-keys')).toMatchObject({ status: 0 });
    expect(operate('verify-audit')).toMatchObject({ status: 0, output: expect.stringContaining('signed statements') });
    expect(operate('migrate')).toMatchObject({ status: 1 });
  });

  it.each([
    'update audit_entries set action = action',
    'delete from audit_entries',
    'truncate audit_entries',
    'delete from audit_heads',
    'delete from audit_statements',
    'update credit_entries set amount = amount + 1',
    'delete from credit_entries',
    'truncate credit_entries',
    'alter table credit_entries disable trigger all',
    'alter table audit_entries disable trigger user',
    'set session_replication_role = replica',
    'drop table runs',
    'create table mine (id integer)',
    `alter role ${applicationRole} superuser`,
  ])('are refused: %s', async (sql) => {
    await expect(services.query(sql)).rejects.toMatchObject({ driverError: { code: '42501' } });
  });
});
