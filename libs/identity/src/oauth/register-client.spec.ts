import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId, platformActor, systemClock } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import type { DataSource } from 'typeorm';
import { ensureOwnClients, findClient, registerClient } from '../index.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  ctx = { actor: platformActor, db: source.manager, now: systemClock, requestId: newId() };
});
afterAll(() => database.close());

const redirectUris = ['https://app.example.com/callback'];

describe('registerClient', () => {
  it('makes a client that only the tools issuer finds', async () => {
    const client = await registerClient(ctx, { name: 'Assistant', redirectUris });
    expect(client.id).toMatch(/^lf_mcp_client_[0-9a-f]{32}$/);
    expect(await findClient(ctx, client.id, 'tools')).toMatchObject({ name: 'Assistant', redirectUris });
    expect(await findClient(ctx, client.id, 'platform')).toBeUndefined();
    const again = await registerClient(ctx, { name: 'Assistant', redirectUris });
    expect(again.id).not.toBe(client.id);
  });

  it.each([
    ['  An\u0000 Assistant\r\n ', 'An Assistant'],
    ['<b>Bold</b>', '<b>Bold</b>'],
    ['evil\u202egnp.exe', 'evil gnp.exe'],
    ['zero\u200bwidth', 'zero width'],
    ['日本語 🎉', '日本語 🎉'],
    ['', 'app.example.com'],
    [undefined, 'app.example.com'],
    ['\u0007', 'app.example.com'],
  ])('stores the name %j as %j', async (name, stored) => {
    const request = { redirectUris, ...(name !== undefined && { name }) };
    expect((await registerClient(ctx, request)).name).toBe(stored);
  });

  it('requires 1 to 20 valid redirect URIs and a short name', async () => {
    const refused = { details: { error: 'invalid_redirect_uri' } };
    const many = Array.from({ length: 21 }, (_, index) => `https://app.example.com/${index}`);
    await expect(registerClient(ctx, { redirectUris: [] })).rejects.toMatchObject({
      ...refused,
      message: 'redirect_uris is empty: name 1 to 20 addresses',
    });
    await expect(registerClient(ctx, { redirectUris: many })).rejects.toMatchObject({
      ...refused,
      message: 'redirect_uris has 21 addresses: at most 20 are allowed',
    });
    const long = `http://evil.example/${'x'.repeat(500)}`;
    await expect(registerClient(ctx, { redirectUris: [long] })).rejects.toMatchObject({
      message: expect.stringMatching(/^redirect_uris\[0\] \(http:\/\/evil\.example\/x+\.\.\.\) must use https/),
    });
    await expect(registerClient(ctx, { redirectUris: many.slice(1) })).resolves.toBeDefined();
    await expect(registerClient(ctx, { redirectUris: [...redirectUris, 'javascript:x'] })).rejects.toMatchObject({
      ...refused,
      message: 'redirect_uris[1] (javascript:x) must not use the scheme javascript:',
    });
    const scheme = { redirectUris: ['cursor://anysphere.cursor-mcp/oauth/callback'] };
    await expect(registerClient(ctx, scheme)).resolves.toBeDefined();
    await expect(registerClient(ctx, { ...scheme, allowedSchemes: ['zed'] })).rejects.toMatchObject(refused);
    await expect(registerClient(ctx, { name: 'x'.repeat(201), redirectUris })).rejects.toMatchObject({
      details: { error: 'invalid_client_metadata' },
    });
  });
});

describe('the platform’s own clients', () => {
  it('are written at every start as configured', async () => {
    const consoleRedirectUris = ['https://console.example.com/callback'];
    for (let start = 0; start < 2; start++) await ensureOwnClients(ctx, { localdev: true, consoleRedirectUris });
    expect(await findClient(ctx, 'lf_mcp_client_localdev', 'tools')).toMatchObject({
      redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
    });
    expect(await findClient(ctx, 'lensforge-cli', 'platform')).toBeDefined();
    expect(await findClient(ctx, 'lensforge-cli', 'tools')).toBeUndefined();
    expect(await findClient(ctx, 'lensforge-console', 'platform')).toMatchObject({ redirectUris: consoleRedirectUris });
    await ensureOwnClients(ctx, { localdev: false });
    expect(await findClient(ctx, 'lf_mcp_client_localdev')).toBeUndefined();
    expect(await findClient(ctx, 'lensforge-console')).toMatchObject({ redirectUris: [] });
  });

  it.each([undefined, '', "' or true --", 'x'.repeat(300), '../lensforge-cli', 'LENSFORGE-CLI'])(
    'are not found by the id %j',
    async (id) => {
      expect(await findClient(ctx, id)).toBeUndefined();
    },
  );
});
