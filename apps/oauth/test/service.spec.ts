import { randomBytes } from 'node:crypto';
import { type Service, createLogger, startService } from '@lensforge/edge';
import { type FreshDatabase, freshDatabase, serviceSettings } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oauth } from '../src/service.js';

let database: FreshDatabase;
let service: Service;

beforeAll(async () => {
  database = await freshDatabase();
  service = await startService(oauth, {
    logger: createLogger({ service: 'oauth', level: 'silent' }),
    environment: {
      ...serviceSettings(database.url),
      LENSFORGE_MASTER_KEY: randomBytes(32).toString('base64'),
      LENSFORGE_PUBLIC_OAUTH_URL: 'https://id.example.com',
    },
  });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

describe('the oauth service', () => {
  it.each(['/health', '/live', '/ready', '/metrics'])('answers %s', async (path) => {
    expect((await fetch(`${service.url}${path}`)).status).toBe(200);
  });

  it('refuses unknown paths in the envelope and sends HSTS', async () => {
    const answer = await fetch(`${service.url}/v1/me`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
  });
});
