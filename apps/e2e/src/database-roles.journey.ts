import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '@lensforge/database';
import { applicationRole } from '@lensforge/dev';
import { maintainRunPartitions } from '@lensforge/runs';
import type { WebhookReceiver } from '@lensforge/testing';
import { until, startWebhookReceiver } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { nothingFound } from './audit.js';
import { TestPlatform } from './test-platform.js';

/** The platform as in production: its services connect with a role that owns nothing. */
const operateProgram = fileURLToPath(new URL('../../../bundle/operate.js', import.meta.url));

let stage: TestPlatform;
let services: DataSource;
let servicesUrl: string;
let mailbox: WebhookReceiver;

beforeAll(async () => {
  mailbox = await startWebhookReceiver();
  stage = await TestPlatform.open({ environment: { NODE_ENV: 'production' } });
  const url = new URL(stage.platform.databaseUrl);
  url.username = applicationRole;
  url.password = encodeURIComponent((await readFile(join(stage.platform.home, 'database.password'), 'utf8')).trim());
  servicesUrl = url.href;
  services = await openDatabase({ url: servicesUrl, entities: [], applicationName: 'database-roles.journey' });
}, 240_000);
afterAll(async () => {
  await services.destroy();
  await mailbox.close();
  await stage.close();
}, 60_000);

const operate = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [operateProgram, ...words], {
    env: { PATH: process.env['PATH'], DATABASE_URL: servicesUrl, LENSFORGE_MASTER_KEY: stage.masterKey },
    timeout: 30_000,
  });
  return { status, said: `${stdout.toString()}${stderr.toString()}`.trim() };
};

const asked = async (
  method: string,
  path: string,
  body?: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  const token = stage.platform.tokens['session'] ?? '';
  const { status, body: answer } = await stage.call(method, path, { token, ...(body && { body }) });
  expect({ path, ok: status < 300, error: answer.error }).toEqual({ path, ok: true, error: null });
  return answer.data ?? {};
};

describe('services whose database role owns nothing', () => {
  it('are all that are connected, and say so with no warning', async () => {
    const rows = await stage.db.query<{ name: string; role: string }[]>(
      `select application_name as name, usename as role from pg_stat_activity
        where application_name ~ '^(api-gateway|mcp-gateway|oauth|run-worker|webhook-dispatcher)'`,
    );
    expect(new Set(rows.map((row) => row.role))).toEqual(new Set([applicationRole]));
    expect(new Set(rows.map((row) => row.name.replace(' health', ''))).size).toBe(5);
    expect(stage.platform.recentLines.join('\n')).not.toContain('can change the audit log');
  });

  it('do all that users ask of them', async () => {
    await asked('POST', '/v1/webhook-endpoints', { url: mailbox.url, events: ['run.completed'] });
    const templateBody = 'Say [[What]] in such a way that everybody who hears it understands it at once.';
    const lens = await asked('POST', '/v1/lenses', { title: 'Mine', templateBody });
    await asked('PATCH', `/v1/lenses/${String(lens['id'])}`, { templateBody: `${templateBody} Be brief.` });
    await asked('POST', '/v1/byok-keys', {
      provider: 'openai',
      label: 'mine',
      secret: 'sk-a-key-of-my-own-0123456789',
    });
    const runId = await stage.accepted({ body: { params: { Name: 'Grace' } } });
    await asked('POST', `/v1/workflows/${stage.platform.workflowId}/run`, {
      inputs: { product: 'Lensforge', audiences: ['all'] },
    });
    await stage.allEnded();
    expect(await stage.statusOf(runId)).toBe('succeeded');
    await until(() => mailbox.requests.some(({ body }) => body.includes(runId)), { what: 'the webhook' });
    await asked('GET', '/v1/credits');
    expect(await stage.findings()).toEqual(nothingFound);
  }, 120_000);

  it('make and drop the months of runs', async () => {
    await stage.db.query(`select make_run_partitions(now() - interval '8 months', -1)`);
    const ctx = { ...stage.ctx, db: services.manager };
    const { dropped, left } = await maintainRunPartitions(ctx, { days: 90, lockMs: 2000, page: 100 });
    expect(dropped.filter((part) => part.startsWith('runs_'))).toHaveLength(1);
    expect(left).toEqual([]);
    const future = `to_char((date_trunc('month', now(), 'UTC') + interval '3 months') at time zone 'UTC', 'YYYYMM')`;
    const [{ part }] = await stage.db.query<[{ part: string }]>(`select 'run_labels_' || ${future} as part`);
    await stage.db.query(`drop table ${part}`);
    expect((await maintainRunPartitions(ctx, { days: 90, lockMs: 2000, page: 100 })).made).toEqual([part]);
  });

  it('are enough for the commands of operators', () => {
    const [alice] = stage.platform.users;
    expect(operate('grant-credits', String(alice?.lenserId), '100')).toMatchObject({ status: 0 });
    expect(operate('rotate-signing-keys')).toMatchObject({ status: 0 });
    expect(operate('verify-audit')).toMatchObject({ status: 0, said: expect.stringContaining('signed statements') });
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
