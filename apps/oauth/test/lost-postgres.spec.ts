import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, createLogger, startService } from '@lensforge/edge';
import {
  type FaultProxy,
  type FreshDatabase,
  faultProxy,
  freshDatabase,
  serviceSettings,
  until,
} from '@lensforge/testing';
import { oauth } from '../src/service.js';
import { ask, postForm, postJson } from './protocol-client.js';

let database: FreshDatabase;
let proxy: FaultProxy;
let service: Service;

beforeAll(async () => {
  database = await freshDatabase();
  const through = new URL(database.url);
  proxy = await faultProxy({ to: Number(through.port) });
  through.hostname = '127.0.0.1';
  through.port = String(proxy.port);
  service = await startService(oauth, {
    logger: createLogger({ service: 'oauth', level: 'silent' }),
    environment: {
      ...serviceSettings(through.href),
      LENSFORGE_MASTER_KEY: randomBytes(32).toString('base64'),
    },
  });
});
afterAll(async () => {
  proxy.heal();
  await service.stop();
  await proxy.close();
  await database.drop();
});

const register = () => postJson(`${service.url}/oauth/register`, { redirect_uris: ['https://tool.example/cb'] });
const exchange = () => {
  const form = {
    grant_type: 'authorization_code',
    code: `lf_mcp_${'0'.repeat(64)}`,
    client_id: 'lf_mcp_client_localdev',
  };
  return postForm(`${service.url}/oauth/token`, form);
};
const unavailable = { status: 503, body: { error: 'temporarily_unavailable' } };

describe('while PostgreSQL hangs, the oauth service', () => {
  it('asks clients to retry and still serves its metadata', async () => {
    expect(await register()).toMatchObject({ status: 201 });
    proxy.hang();
    const answers = await Promise.all([register(), exchange(), ask(`${service.url}/id/jwks.json`)]);
    for (const answer of answers) {
      expect(answer).toMatchObject(unavailable);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await ask(`${service.url}/.well-known/oauth-authorization-server`)).status).toBe(200);
    proxy.heal();
    await until(async () => (await register()).status === 201);
  });
});
