import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshDatabase } from '@lensforge/testing';
import { Client } from 'pg';
import { findPooling, limitRole, openDatabase } from './index.js';
import { missingSettings, sessionSettings } from './session-settings.js';

const role = `limited_${randomBytes(5).toString('hex')}`;
let owner: Client;
let url: URL;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await freshDatabase({ empty: true });
  drop = database.drop;
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`create role ${role} login password 'a-fine-phrase'`);
  url = new URL(database.url);
  url.username = role;
  url.password = 'a-fine-phrase';
});
afterAll(async () => {
  await owner.end();
  await drop();
});

async function inSession<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe('limitRole', () => {
  it('makes the limits of services the defaults of its own role for later sessions', async () => {
    const settings = sessionSettings(2);
    const all = [...Object.keys(settings.timeouts), ...Object.keys(settings.planner)];
    expect(await inSession((client) => missingSettings(client, settings))).toEqual(all);
    await inSession((client) => limitRole((sql) => client.query(sql), 2));
    expect(await inSession((client) => missingSettings(client, settings))).toEqual([]);
    const { rows } = await inSession((client) => client.query<{ statement_timeout: string }>('show statement_timeout'));
    expect(rows).toEqual([{ statement_timeout: '10s' }]);
  });
});

describe('openDatabase', () => {
  it('gives each session of a server without a pooler the limits of services', async () => {
    expect(await findPooling({ url: url.href })).toBe('none');
    const source = await openDatabase({ url: url.href, applicationName: 'spec', timeoutFactor: 1 });
    const shown = await source.query<{ name: string; setting: string }[]>(
      `select name, setting from pg_settings where name in ('statement_timeout', 'lock_timeout', 'jit') order by name`,
    );
    await source.destroy();
    expect(shown.map(({ name, setting }) => `${name} ${setting}`)).toEqual([
      'jit off',
      'lock_timeout 2000',
      'statement_timeout 5000',
    ]);
  });
});
