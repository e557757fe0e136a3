import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import { auditHash } from './audit-hash.js';
import { listAudit, recordAudit, verifyAudit, verifyAuditPart } from './index.js';

let database: TestDatabase;
let ctx: Context;
let accountId: string;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const query = <T = Record<string, unknown>>(sql: string, values?: unknown[]) => database.source.query<T[]>(sql, values);
const name = 'Ada, 192.0.2.7';

beforeEach(async () => {
  accountId = newId();
  ctx = aContext(database.source.manager, { accountId });
  await query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', $2, 'Ada')`, [
    accountId,
    `p-${accountId.slice(-12)}`,
  ]);
});

const record = (more: { accountId?: string; target?: { kind: string; id: string } } = {}) =>
  recordAudit(ctx, { accountId, action: 'token.created', details: { label: name, days: 30 }, ...more });

/** Appends an entry as earlier releases did, with all details in the chain. */
async function recordWhole(): Promise<void> {
  const [head] = await query<{ sequence: string; hash: string }>(
    `select sequence, encode(hash, 'hex') as hash from audit_heads where account_id = $1`,
    [accountId],
  );
  const entry = {
    accountId,
    sequence: Number(head?.sequence ?? 0) + 1,
    id: newId(),
    action: 'user.signed_in',
    actor: { accountId },
    target: null,
    details: { address: name, days: 30 },
    requestId: newId(),
    occurredAt: '2026-11-21T09:30:00.123000Z',
    previousHash: head?.hash ?? '00'.repeat(32),
  };
  const hash = auditHash(entry);
  await query(
    `insert into audit_entries (account_id, sequence, id, action, actor, target, details, request_id, occurred_at, previous_hash, hash)
     values ($1, $2, $3, $4, $5, null, $6, $7, $8, decode($9, 'hex'), $10)`,
    [
      accountId,
      entry.sequence,
      entry.id,
      entry.action,
      entry.actor,
      entry.details,
      entry.requestId,
      entry.occurredAt,
      entry.previousHash,
      hash,
    ],
  );
  await query(
    `insert into audit_heads (account_id, sequence, hash) values ($1, $2, $3)
     on conflict (account_id) do update set sequence = $2, hash = $3`,
    [accountId, entry.sequence, hash],
  );
}

const close = () => query('update accounts set closed_at = now() where id = $1', [accountId]);
const erase = () => query('select erase_audit_details($1)', [accountId]);
const stored = async (id = accountId) =>
  JSON.stringify([
    await query('select details from audit_entries where account_id = $1', [id]),
    await query('select details from audit_details where account_id = $1', [id]),
  ]);
const verify = (id = accountId) => verifyAudit(database.source.manager, id);
const detailsOf = async (id = accountId) =>
  (await listAudit(ctx, { accountId: id, limit: 10 })).items.map(({ details }) => details);

/** Changes the database like its owner could. */
const tamper = (sql: string) =>
  database.source.transaction(async (db) => {
    await db.query('set local session_replication_role = replica');
    await db.query(sql, [accountId]);
  });

describe('personal details of audit entries', () => {
  it('are listed with the entry, and only their salted hash is in the chain', async () => {
    await record();
    await record();
    expect(await detailsOf()).toEqual([
      { label: name, days: 30 },
      { label: name, days: 30 },
    ]);
    const rows = await query('select details from audit_entries where account_id = $1', [accountId]);
    const hashes = rows.map(({ details }) => (details as Record<string, unknown>)['personalHash']);
    expect(rows[0]?.['details']).toEqual({ days: 30, personalHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(new Set(hashes).size).toBe(2);
    expect((await verify()).broken).toBe(0);
  });

  it('can be erased once the account is closed, and the chain verifies, with entries of earlier releases too', async () => {
    await recordWhole();
    await record();
    await recordWhole();
    expect(await verify()).toMatchObject({ entries: 3, broken: 0 });
    await expect(erase()).rejects.toThrow('is not closed');
    await close();
    await erase();
    await record();
    expect(await verify()).toMatchObject({ entries: 4, broken: 0 });
    expect((await verifyAuditPart(database.source.manager, accountId, { after: 1 })).broken).toBeUndefined();
    await erase();
    expect(await verify()).toMatchObject({ entries: 4, broken: 0 });
    expect(await stored()).not.toContain(name);
    expect(await detailsOf()).toEqual([
      { days: 30 },
      { days: 30, erased: true },
      { days: 30 },
      { days: 30, erased: true },
    ]);
  });

  it('are erased from the chains of others who name the account, and from no other entry', async () => {
    const community = newId();
    const other = { ...ctx, actor: { ...ctx.actor, accountId: newId() } };
    await record({ accountId: community });
    await recordAudit(other, {
      accountId: community,
      action: 'member.removed',
      target: { kind: 'account', id: accountId },
      details: { handle: name, role: 'member' },
    });
    await recordAudit(other, { accountId: community, action: 'token.created', details: { label: 'Kept' } });
    await close();
    await erase();
    expect(await detailsOf(community)).toEqual([{ label: 'Kept' }, { role: 'member' }, { days: 30 }]);
    expect((await verify(community)).broken).toBe(0);
  });

  it.each([
    ['altered', `update audit_details set details = '{"label": "Eve"}' where account_id = $1`, 'was altered'],
    ['deleted while no account is closed', 'delete from audit_details where account_id = $1', 'are missing'],
    [
      'called erased while no account is closed',
      `update audit_entries set details = details || '{"erased": true}' where account_id = $1`,
      'was altered',
    ],
  ])('are a break of the chain when %s', async (_, sql, what) => {
    await record();
    await expect(database.source.query(sql, [accountId])).rejects.toThrow('only ever appended to');
    await tamper(sql);
    expect((await verify()).breaks).toEqual([{ accountId, sequence: 1, what: expect.stringContaining(what) }]);
  });
});
