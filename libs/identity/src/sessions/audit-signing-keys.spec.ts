import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recordAudit, signAuditHeads, verifyStatements } from '@lensforge/audit';
import { type Context, newId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import { keyRing, seal } from '@lensforge/vault';
import type { DataSource } from 'typeorm';
import {
  attestedAuditKeys,
  currentAuditSigner,
  publishedAuditKeys,
  publishedKeys,
  readAuditKeys,
  rotateAuditSigningKey,
} from '../index.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;

const aRing = () => keyRing([{ version: 1, key: randomBytes(32).toString('base64') }]);
const [ring, attackerRing] = [aRing(), aRing()];

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  ctx = { ...aContext(source.manager), actor: platformActor };
});
beforeEach(async () => {
  await source.transaction(async (db) => {
    await db.query('set local session_replication_role = replica');
    for (const table of ['audit_newest_statement', 'audit_signed_heads', 'audit_statements', 'audit_signing_keys'])
      await db.query(`delete from ${table}`);
  });
});
afterAll(() => database.close());

const sign = async (signingRing = ring) => {
  await recordAudit(ctx, { accountId: newId(), action: 'token.created' });
  return signAuditHeads(ctx, { signer: (ctx) => currentAuditSigner(ctx, signingRing), everySeconds: 0 });
};
const verdict = async (trusted = ring) =>
  verifyStatements(source.manager, { keys: await attestedAuditKeys(ctx, trusted) });

describe('audit signing keys', () => {
  it('start with one key and a sealed private key, also with concurrent processes', async () => {
    const signers = await Promise.all(
      Array.from({ length: 5 }, () => source.transaction((db) => currentAuditSigner({ db }, ring))),
    );
    expect(new Set(signers.map(({ kid }) => kid)).size).toBe(1);
    const keys = await publishedAuditKeys(ctx);
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: signers[0]?.kid,
        alg: 'ES256',
        use: 'sig',
      },
    ]);
    await expect(currentAuditSigner(ctx, attackerRing)).rejects.toThrow('sealed with another master key');
  });

  it('are separate from the keys that sign tokens', async () => {
    await sign();
    expect(await publishedKeys(ctx)).toEqual([]);
  });

  it('stay verifiable after a rotation, which deletes the old private key', async () => {
    await sign();
    const next = await rotateAuditSigningKey(ctx, ring);
    await sign();
    expect(await verdict()).toMatchObject({ statements: 2, faults: [] });
    const rows = await source.query<object[]>(
      'select kid, private_key is not null as signs, retired_at is null as current from audit_signing_keys order by created_at',
    );
    expect(rows).toEqual([
      { kid: expect.any(String), signs: false, current: false },
      { kid: next, signs: true, current: true },
    ]);
    const exported = readAuditKeys(JSON.stringify({ keys: await publishedAuditKeys(ctx) }));
    expect(await verifyStatements(source.manager, { keys: exported })).toMatchObject({ statements: 2, faults: [] });
  });

  it('are not rotated before the first signature', async () => {
    expect(await rotateAuditSigningKey(ctx, ring)).toBeUndefined();
    expect(await publishedAuditKeys(ctx)).toEqual([]);
  });

  it('are trusted only when the master key attests them', async () => {
    await sign(attackerRing);
    expect([...(await attestedAuditKeys(ctx, attackerRing)).keys()]).toHaveLength(1);
    expect([...(await attestedAuditKeys(ctx, ring)).keys()]).toEqual([]);
    expect((await verdict()).faults[0]).toMatch(/^statement 1 was signed with the key \S+, which is not trusted$/);
  });

  it('are taken from the attestation and not from the other columns', async () => {
    const original = await source.transaction((db) => currentAuditSigner({ db }, ring));
    await source.query(`update audit_signing_keys set kid = 'another', attestation = $1`, [
      seal(
        attackerRing,
        { table: 'audit_signing_keys', column: 'attestation', id: 'another', owner: 'platform' },
        '{}',
      ),
    ]);
    expect(await attestedAuditKeys(ctx, ring)).toEqual(new Map());
    await source.query('update audit_signing_keys set kid = $1', [original.kid]);
    expect(await attestedAuditKeys(ctx, ring)).toEqual(new Map());
  });
});

it.each(['{}', '[]', '{"keys":[{"kty":"EC"}]}', 'x'])('readAuditKeys refuses %s', (text) => {
  expect(() => readAuditKeys(text)).toThrow();
});
