import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { recordAudit, verifyAudit, verifyAuditPart } from './index.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
});
beforeEach(async () => {
  accountId = newId();
  ctx = aContext(source.manager, { accountId });
  for (const label of ['one', 'two', 'three', 'four', 'five']) {
    await recordAudit(ctx, { accountId, action: 'token.created', details: { label, days: 30 } });
  }
});
afterAll(() => database.close());

/** Changes the database like its owner could. */
async function tamper(...statements: string[]): Promise<void> {
  await source.transaction(async (db) => {
    await db.query(`set local session_replication_role = replica`);
    for (const sql of statements) await db.query(sql.replaceAll(':account', `'${accountId}'`));
  });
}
const entry = (sequence: number) => `account_id = :account and sequence = ${sequence}`;
const verify = () => verifyAudit(source.manager, accountId);
const broken = (sequence: number, what: string) => ({ broken: 1, breaks: [{ accountId, sequence, what }] });

const altered = 'the entry was altered: its hash does not match its content';

describe('verifyAudit', () => {
  it('finds no breaks in unchanged entries', async () => {
    expect(await verify()).toEqual({ accounts: 1, entries: 5, breaks: [], broken: 0 });
  });

  it.each([
    ['action', `action = 'token.revoked'`],
    ['actor', `actor = jsonb_set(actor, '{userId}', '"other"')`],
    ['target', `target = '{"id": "x", "kind": "token"}'`],
    ['details', `details = jsonb_set(details, '{days}', '31')`],
    ['request', 'request_id = gen_random_uuid()'],
    ['id', 'id = gen_random_uuid()'],
    ['time, by a microsecond', `occurred_at = occurred_at + interval '1 microsecond'`],
    ['hash', `hash = sha256('x')`],
    ['previous hash', `previous_hash = sha256('x')`],
  ])('finds an altered %s', async (_, change) => {
    await tamper(`update audit_entries set ${change} where ${entry(3)}`);
    expect(await verify()).toMatchObject(broken(3, altered));
  });

  it('ignores the order of JSON members', async () => {
    await tamper(
      `update audit_entries set details = jsonb_build_object('personalHash', details -> 'personalHash', 'days', 30)
        where ${entry(2)}`,
    );
    expect((await verify()).broken).toBe(0);
  });

  it('finds deleted entries at the beginning, in the middle, and all', async () => {
    await tamper(`delete from audit_entries where ${entry(3)}`);
    expect(await verify()).toMatchObject(broken(3, 'entry 3 is missing'));
    await tamper(`delete from audit_entries where account_id = :account and sequence in (1, 2)`);
    expect(await verify()).toMatchObject(broken(1, 'entries 1 to 3 are missing'));
    await tamper('delete from audit_entries where account_id = :account');
    expect(await verify()).toMatchObject(broken(1, 'all entries, up to 5, are missing'));
  });

  it('finds that the newest entries were deleted', async () => {
    await tamper('delete from audit_entries where account_id = :account and sequence > 3');
    expect(await verify()).toMatchObject(broken(4, 'the newest entries, up to 5, are missing'));
  });

  it('finds a deleted entry whose successors were renumbered', async () => {
    await tamper(
      `delete from audit_entries where ${entry(3)}`,
      `update audit_entries set sequence = 3 where ${entry(4)}`,
      `update audit_entries set sequence = 4 where ${entry(5)}`,
    );
    expect(await verify()).toMatchObject(broken(3, altered));
  });

  it('finds entries with exchanged sequence numbers', async () => {
    await tamper(
      `update audit_entries set sequence = 90 where ${entry(2)}`,
      `update audit_entries set sequence = 2 where ${entry(4)}`,
      `update audit_entries set sequence = 4 where ${entry(90)}`,
    );
    expect(await verify()).toMatchObject(broken(2, altered));
  });

  it('finds an entry from another chain', async () => {
    const own = accountId;
    accountId = newId();
    await recordAudit(ctx, { accountId, action: 'token.created' });
    await tamper(
      `delete from audit_entries where account_id = '${own}' and sequence = 1`,
      `update audit_entries set account_id = '${own}' where ${entry(1)}`,
    );
    accountId = own;
    expect(await verify()).toMatchObject(broken(1, altered));
  });

  it('finds a head that is missing, too old, or names another entry', async () => {
    await tamper('update audit_heads set sequence = 4 where account_id = :account');
    expect(await verify()).toMatchObject(broken(5, 'there are entries beyond the head of the chain'));
    await tamper(`update audit_heads set sequence = 5, hash = sha256('x') where account_id = :account`);
    expect(await verify()).toMatchObject(broken(5, 'the head does not name the last entry'));
    await tamper('delete from audit_heads where account_id = :account');
    expect(await verify()).toMatchObject(broken(5, 'the chain has no head'));
  });

  it('counts all broken chains and lists at most `most` of them', async () => {
    const before = await verifyAudit(source.manager);
    await tamper(`update audit_entries set action = 'x' where ${entry(2)}`);
    const after = await verifyAudit(source.manager, undefined, { most: 1000 });
    expect(after).toMatchObject({ accounts: before.accounts, entries: before.entries, broken: before.broken + 1 });
    expect(after.breaks).toContainEqual({ accountId, sequence: 2, what: altered });
    const limited = await verifyAudit(source.manager, undefined, { most: 1 });
    expect([limited.broken, limited.breaks.length]).toEqual([after.broken, 1]);
  });

  it('reads long chains in pages while they grow', async () => {
    await source.query(`insert into audit_heads values ($1, 0, $2)`, [newId(), Buffer.alloc(32)]);
    const growing = Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let each = 0; each < 30; each += 1) await recordAudit(ctx, { accountId, action: 'token.created' });
      }),
    );
    const brokenCounts: number[] = [];
    for (let each = 0; each < 10; each += 1) brokenCounts.push((await verify()).broken);
    await growing;
    expect(new Set(brokenCounts)).toEqual(new Set([0]));
    expect(await verify()).toEqual({ accounts: 1, entries: 605, breaks: [], broken: 0 });
  });
});

describe('verifyAuditPart', () => {
  const part = (after?: number) => verifyAuditPart(source.manager, accountId, { after, most: 2 });

  it('verifies a chain in parts, the last one with the head', async () => {
    expect(await part()).toEqual({ entries: 2, next: 2 });
    expect(await part(2)).toEqual({ entries: 2, next: 4 });
    expect(await part(4)).toEqual({ entries: 1 });
    expect(await part(5)).toEqual({ entries: 0 });
    await tamper(`update audit_heads set hash = sha256('x') where account_id = :account`);
    expect(await part(4)).toMatchObject({ broken: { sequence: 5, what: 'the head does not name the last entry' } });
  });

  it('finds a break within a part, between parts, and in an empty chain', async () => {
    await tamper(`update audit_entries set action = 'x' where ${entry(2)}`);
    expect(await part()).toEqual({ entries: 2, broken: { accountId, sequence: 2, what: altered } });
    await tamper(`update audit_entries set hash = sha256('x') where ${entry(4)}`);
    expect(await part(4)).toMatchObject({ broken: { sequence: 5, what: expect.stringContaining('does not follow') } });
    await tamper('delete from audit_entries where account_id = :account');
    expect(await part()).toMatchObject({ entries: 0, broken: { sequence: 1 } });
  });
});
