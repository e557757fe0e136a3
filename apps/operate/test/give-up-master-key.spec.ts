import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signAuditHeads } from '@lensforge/audit';
import { createByokKey } from '@lensforge/byok';
import { aKeyPair } from '@lensforge/byok/testing';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { attestedAuditKeys, currentAuditSigner, openSigningKeys } from '@lensforge/identity';
import { anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { type MasterKeySetting, checkMasterKey } from '@lensforge/master-keys';
import { type KeyRing, keyRing, seal } from '@lensforge/vault';
import {
  createEndpoint,
  createIncomingWebhook,
  openSecret,
  takeOverEndpoint,
  takeOverIncomingWebhook,
} from '@lensforge/webhooks';
import { operate } from '../src/operate.js';

const aKey = () => randomBytes(32).toString('base64');
const [lostKey, newKey] = [aKey(), aKey()];
const [lost, ring] = [keyRing([{ version: 1, key: lostKey }]), keyRing([{ version: 2, key: newKey }])];
let database: TestDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ ctx } = database);
});
beforeEach(async () => {
  await database.source.query('delete from master_key_fingerprints');
  await check('LENSFORGE_MASTER_KEY', lost);
  await check('LENSFORGE_BYOK_MASTER_KEY', lost);
});
afterAll(() => database.close());

const check = (setting: MasterKeySetting, ring: KeyRing) => checkMasterKey(ctx, { setting, ring, by: 'test' });

async function giveUp(line: string, environment: Record<string, string> = {}) {
  const output: string[] = [];
  const errors: string[] = [];
  const code = await operate(['give-up-master-key', ...line.split(' ').filter(Boolean)], {
    environment: { DATABASE_URL: database.url, ...environment },
    print: (each) => output.push(each),
    printError: (each) => errors.push(each),
  });
  return { code, output, errors: errors.join('\n') };
}

describe('give-up-master-key', () => {
  it.each([
    ['', {}, 'takes LENSFORGE_MASTER_KEY or LENSFORGE_BYOK_MASTER_KEY and a version'],
    ['LENSFORGE_KEY 1', {}, 'takes LENSFORGE_MASTER_KEY or'],
    [
      'LENSFORGE_MASTER_KEY 7',
      { LENSFORGE_MASTER_KEY: `2:${newKey}` },
      'no version 7 of LENSFORGE_MASTER_KEY on record; there is 1',
    ],
    ['LENSFORGE_MASTER_KEY 1', { LENSFORGE_MASTER_KEY: `1:${lostKey}` }, 'so that it is not lost'],
    ['LENSFORGE_MASTER_KEY 1', { LENSFORGE_MASTER_KEY: `1:${lostKey},2:${newKey}` }, 'so that it is not lost'],
    ['LENSFORGE_MASTER_KEY 1', {}, 'must be the new key, with a version above 1, such as 2:key'],
  ])('refuses %j with %j', async (line, settings, reason) => {
    const { code, output, errors } = await giveUp(line, settings);
    expect([code, output, errors]).toEqual([2, [], expect.stringContaining(reason)]);
    await check('LENSFORGE_MASTER_KEY', lost);
  });

  it('revokes the BYOK keys that it sealed', async () => {
    const { id: accountId } = await anAccount(ctx);
    const mine = { ...ctx, actor: { ...ctx.actor, accountId } };
    await aKeyPair(ctx, lost);
    const key = await createByokKey(mine, { provider: 'openai', label: 'x', secret: 'sk-of-a-test' });
    const settings = { LENSFORGE_BYOK_MASTER_KEY: `2:${newKey}` };
    const { code, output } = await giveUp('LENSFORGE_BYOK_MASTER_KEY 1', settings);
    expect([code, output]).toEqual([
      0,
      [
        '1 BYOK keys: revoked; their owners store them again',
        'LENSFORGE_BYOK_MASTER_KEY version 1 is given up; start the services with the new key',
      ],
    ]);
    await check('LENSFORGE_BYOK_MASTER_KEY', ring);
    const [row] = await database.source.query<[object]>(
      'select revoked_at is not null as revoked, secret from byok_keys where id = $1',
      [key.id],
    );
    expect(row).toEqual({ revoked: true, secret: null });
  });

  it('lets the platform start with another key, and says what the owners of lost secrets have to do', async () => {
    const { id: accountId } = await anAccount(ctx);
    const mine = { ...ctx, actor: { ...ctx.actor, accountId } };
    const endpoint = await createEndpoint(mine, { url: 'https://receiver.example/', events: ['run.completed'] }, lost);
    const { id: workflowId } = await aLens(mine);
    const incoming = await createIncomingWebhook(mine, { workflowId, name: 'x' }, lost);
    const bundle = seal(
      lost,
      { table: 'partner_bundles', column: 'bundle', id: 'sandbox', owner: accountId },
      'a bundle',
    );
    await database.source.query(
      `insert into partner_bundles (account_id, partner, external_id, bundle, expires_at) values ($1, 'sandbox', 'x', $2, now())`,
      [accountId, bundle],
    );
    await openSigningKeys({ db: database.source.manager, ring: lost, issuer: 'https://a.test/id' });
    const former = await currentAuditSigner(ctx, lost);
    await signAuditHeads(ctx, { signer: () => Promise.resolve(former), everySeconds: 0 });
    await expect(check('LENSFORGE_MASTER_KEY', ring)).rejects.toThrow('version 1');

    const { code, output, errors } = await giveUp('LENSFORGE_MASTER_KEY 1', { LENSFORGE_MASTER_KEY: `2:${newKey}` });
    expect([code, errors]).toEqual([0, '']);
    expect(output).toEqual([
      expect.stringMatching(/^\d+ session keys: everyone signs in again$/),
      '1 the signing key of the audit log: a new one signs from now on',
      expect.stringMatching(/^1 public keys of the audit log: trusted again/),
      expect.stringMatching(/^1 webhook endpoints: suspended/),
      expect.stringMatching(/^1 incoming webhooks: suspended/),
      '1 accounts at partners: they are connected again',
      'LENSFORGE_MASTER_KEY version 1 is given up; start the services with the new key',
    ]);

    await check('LENSFORGE_MASTER_KEY', ring);
    await openSigningKeys({ db: database.source.manager, ring, issuer: 'https://a.test/id' });
    const signer = await currentAuditSigner(ctx, ring);
    expect([...(await attestedAuditKeys(ctx, ring)).keys()].sort()).toEqual([former.kid, signer.kid].sort());
    const [stored] = await database.source.query<[{ secret: Buffer; suspended: string; disabled: boolean }]>(
      `select secret, suspended_reason as suspended, disabled_at is not null as disabled from webhook_endpoints where id = $1`,
      [endpoint.id],
    );
    expect(stored).toMatchObject({ suspended: 'credential_revoked', disabled: true });
    expect(openSecret(ring, { id: endpoint.id, accountId }, stored.secret)).not.toBe(endpoint.secret);
    const renewed = await takeOverEndpoint(mine, { endpointId: endpoint.id }, ring);
    expect(renewed).toMatchObject({ enabled: true, suspendedReason: null, secret: expect.stringMatching(/^whsec_/) });
    expect(await takeOverIncomingWebhook(mine, { webhookId: incoming.id }, ring)).toMatchObject({
      suspendedReason: null,
    });
  });
});
