import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { listAudit, recordAudit, verifyAudit } from './index.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
});
beforeEach(() => {
  accountId = newId();
  ctx = aContext(source.manager, { accountId, userId: newId() });
});
afterAll(() => database.close());

const record = async (times: number, more: { details?: Record<string, unknown> } = {}) => {
  for (let each = 0; each < times; each += 1) {
    await recordAudit(ctx, { accountId, action: 'token.created', target: { kind: 'token', id: newId() }, ...more });
  }
};
const all = async (id = accountId) => (await listAudit(ctx, { accountId: id, limit: 200 })).items;

describe('recordAudit', () => {
  it('stores actor, action, target, time and request id', async () => {
    const target = { kind: 'token', id: newId() };
    const now = new Date('2026-11-21T09:30:00.123Z');
    await recordAudit(
      { ...ctx, now: () => now },
      { accountId, action: 'token.revoked', target, details: { label: 'laptop' } },
    );
    expect(await all()).toEqual([
      {
        id: expect.any(String),
        sequence: 1,
        action: 'token.revoked',
        actor: {
          credential: 'developer',
          credentialId: ctx.actor.credential.id,
          accountId,
          userId: ctx.actor.userId,
        },
        target,
        details: { label: 'laptop' },
        requestId: ctx.requestId,
        occurredAt: now,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it('is rolled back with its transaction', async () => {
    const work = inTransaction(ctx, async (ctx) => {
      await recordAudit(ctx, { accountId, action: 'key.rotated' });
      throw new Error('the act failed');
    });
    await expect(work).rejects.toThrow('the act failed');
    expect(await all()).toEqual([]);
    await record(1);
    expect((await all()).map(({ sequence }) => sequence)).toEqual([1]);
  });

  it('keeps one unbroken chain for 50 concurrent entries', async () => {
    await Promise.all(Array.from({ length: 50 }, () => record(1)));
    expect((await all()).map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index));
    expect(await verifyAudit(source.manager, accountId)).toEqual({ accounts: 1, entries: 50, breaks: [], broken: 0 });
  });

  it.each([
    ['numbers', { big: 1e21, small: 1e-7, exact: 0.1 + 0.2, none: -0, most: Number.MAX_SAFE_INTEGER }],
    ['order and depth', { z: 1, a: { y: [3, { q: 1, b: 2 }], b: null } }],
    ['characters', { text: '\u0000 \ud800 "\\" \u2028 ä 💡', 'ключ \u0000': true }],
    ['special member names', JSON.parse('{"__proto__": {"x": 1}, "constructor": 2, "10": 1, "9": 2}')],
    ['values that JSON omits', { gone: undefined, not: Number.NaN, list: [undefined] }],
  ])('stores %s unchanged', async (_, details: Record<string, unknown>) => {
    await record(2, { details });
    expect(await verifyAudit(source.manager, accountId)).toMatchObject({ entries: 2, broken: 0 });
  });

  it('writes entries that the database does not update or delete', async () => {
    await record(1);
    for (const sql of ['update audit_entries set action = action', 'delete from audit_entries']) {
      await expect(source.query(sql)).rejects.toThrow('the audit log is only ever appended to');
    }
    await expect(source.query('truncate audit_entries')).rejects.toThrow('the audit log is only ever appended to');
  });
});

describe('listAudit', () => {
  it('lists the entries of one account in pages, newest first', async () => {
    await record(5);
    await recordAudit(ctx, { accountId: newId(), action: 'lens.deleted' });
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAudit(ctx, { accountId, limit: 2, cursor });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ sequence }) => sequence));
      cursor = page.nextCursor;
      await record(1);
    } while (cursor !== undefined);
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  it.each([
    '',
    'x',
    Buffer.from('before 1 or 1').toString('base64url'),
    Buffer.from('before 01').toString('base64url'),
  ])('refuses the cursor %j', async (cursor) => {
    await expect(listAudit(ctx, { accountId, limit: 2, cursor })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});
