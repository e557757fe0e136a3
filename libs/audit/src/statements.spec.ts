import { createHash, generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { auditHash } from './audit-hash.js';
import { headsDigest, noStatementHash, signStatement, statementHash } from './audit-statement.js';
import {
  type AuditPublicKey,
  type AuditStatement,
  type SigningOptions,
  StatementsRewritten,
  recordAudit,
  signAuditHeads,
  verifyAudit,
  verifyStatements,
} from './index.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let alice: string;
let bob: string;

const aSigner = (kid: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { signer: { kid, key: privateKey }, key: publicKey };
};
const [own, attacker] = [aSigner('own'), aSigner('attacker')];
const keys: ReadonlyMap<string, AuditPublicKey> = new Map([['own', { key: own.key }]]);

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
});
beforeEach(async () => {
  [alice, bob] = [newId(), newId()];
  ctx = aContext(source.manager, { accountId: alice });
  await record(alice, 4);
  await record(bob, 2);
});
afterEach(() =>
  tamper(
    'delete from audit_newest_statement; delete from audit_signed_heads; delete from audit_statements',
    'delete from audit_entries; delete from audit_heads; delete from audit_signing_keys',
  ),
);
afterAll(() => database.close());

const record = async (accountId: string, times = 1, at?: Date) => {
  for (let each = 0; each < times; each += 1) {
    await recordAudit(at ? { ...ctx, now: () => at } : ctx, { accountId, action: 'token.created', details: { each } });
  }
};
const sign = (order: Partial<SigningOptions> = {}) =>
  signAuditHeads(ctx, { signer: async () => own.signer, everySeconds: 0, ...order });
const verify = (accountId?: string, trusted = keys) => verifyStatements(source.manager, { keys: trusted, accountId });
const faults = async (accountId?: string) => (await verify(accountId)).faults;

/** Changes the database like an attacker without a private key. */
async function tamper(...statements: string[]): Promise<void> {
  await source.transaction(async (db) => {
    await db.query(`set local session_replication_role = replica`);
    for (const sql of statements) await db.query(sql.replaceAll(':alice', `'${alice}'`).replaceAll(':bob', `'${bob}'`));
  });
}

/** Changes an entry and recomputes all later hashes, so that the chain is valid again. */
async function rewriteChain(accountId: string, sequence: number, change: Record<string, unknown>): Promise<void> {
  const rows = await source.query<(Record<string, unknown> & { sequence: string })[]>(
    `select account_id as "accountId", sequence, id, action, actor, target, details, request_id as "requestId",
            to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "occurredAt",
            encode(previous_hash, 'hex') as "previousHash"
       from audit_entries where account_id = $1 order by sequence`,
    [accountId],
  );
  let previous = '00'.repeat(32);
  for (const row of rows) {
    const entry = { ...row, ...(Number(row.sequence) === sequence && change), previousHash: previous };
    const hash = auditHash({ ...entry, sequence: Number(row.sequence) } as never).toString('hex');
    const details = JSON.stringify((entry as unknown as { details: unknown }).details);
    await tamper(
      ...(Number(row.sequence) === sequence
        ? [`delete from audit_details where account_id = '${accountId}' and sequence = ${sequence}`]
        : []),
      `update audit_entries set details = '${details}', previous_hash = '\\x${previous}', hash = '\\x${hash}'
        where account_id = '${accountId}' and sequence = ${row.sequence}`,
      `update audit_heads set sequence = ${row.sequence}, hash = '\\x${hash}' where account_id = '${accountId}'`,
    );
    previous = hash;
  }
}

describe('signAuditHeads', () => {
  it('signs the heads of all chains first, and changed ones later', async () => {
    expect(await sign()).toMatchObject({ newest: { number: 1 }, heads: 2 });
    await record(bob);
    expect(await sign()).toMatchObject({ newest: { number: 2 }, heads: 1 });
    expect(await sign()).toMatchObject({ newest: { number: 3 }, heads: 0 });
    const heads = await source.query<object[]>(
      `select statement_number::int as n, account_id as account, sequence::int as sequence from audit_signed_heads order by 1, 2`,
    );
    expect(heads).toEqual([
      ...[
        { n: 1, account: alice, sequence: 4 },
        { n: 1, account: bob, sequence: 2 },
      ].sort((a, b) => (a.account < b.account ? -1 : 1)),
      { n: 2, account: bob, sequence: 3 },
    ]);
    expect(await verify()).toEqual({ statements: 3, until: expect.any(Date), faults: [], broken: 0 });
    expect(await verify(alice)).toMatchObject({ statements: 3, broken: 0 });
  });

  it('makes one statement per interval for concurrent calls', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => sign({ everySeconds: 3600 })));
    expect(all.filter(({ heads }) => heads !== undefined)).toHaveLength(1);
    await record(alice);
    expect(await sign({ everySeconds: 3600 })).toMatchObject({ newest: { number: 1 }, heads: undefined });
  });

  it('spreads many chains over several statements', async () => {
    expect(await sign({ most: 1 })).toMatchObject({ heads: 1 });
    expect(await sign({ most: 1 })).toMatchObject({ heads: 1 });
    expect(await sign({ most: 1 })).toMatchObject({ heads: 0 });
    expect(await faults()).toEqual([]);
  });

  it('leaves a locked chain to the next statement', async () => {
    await source.transaction(async (db) => {
      await recordAudit({ ...ctx, db }, { accountId: alice, action: 'token.created' });
      expect(await sign()).toMatchObject({ heads: 1 });
    });
    expect(await sign()).toMatchObject({ heads: 1 });
    expect(await faults()).toEqual([]);
  });

  it('throws when a statement that it has seen is missing or different', async () => {
    const { newest: seen } = await sign();
    expect(await sign({ seen })).toMatchObject({ newest: { number: 2 } });
    await tamper('update audit_statements set statement = statement || $$x$$ where number = 1');
    await expect(sign({ seen })).rejects.toThrow(
      'The signed statement 1 about the audit log, which this process has seen, is different now',
    );
    await tamper('delete from audit_statements');
    await expect(sign({ seen })).rejects.toThrow(StatementsRewritten);
  });

  it('must run every hour: verifyStatements reports entries that stay unsigned', async () => {
    await sign();
    const at = new Date(Date.now() - 3 * 3_600_000);
    await record(alice, 1, at);
    await record(bob);
    expect(await faults()).toEqual([
      `${alice}, entry 5: of ${at.toISOString()} is not signed yet; the oauth service signs every hour`,
    ]);
    await sign();
    expect(await faults()).toEqual([]);
  });
});

describe('verifyStatements', () => {
  beforeEach(async () => {
    await sign();
    await record(alice, 2);
    await record(bob);
    await sign();
    await record(alice);
    await sign();
    expect(await verify()).toMatchObject({ statements: 3, faults: [], broken: 0 });
  });

  it('finds a chain that was rewritten with valid hashes', async () => {
    await rewriteChain(alice, 2, { details: { each: 'never' } });
    expect(await verifyAudit(source.manager)).toMatchObject({ broken: 0 });
    expect(await faults()).toEqual([
      `${alice}, entry 4: was signed in statement 1 with another hash: it, or one before it, was rewritten`,
    ]);
    expect(await faults(alice)).toHaveLength(1);
    expect(await faults(bob)).toEqual([]);
  });

  it('finds a chain whose newest entries were deleted and whose head was changed', async () => {
    await tamper(
      'delete from audit_entries where account_id = :alice and sequence > 5',
      `update audit_heads h set sequence = e.sequence, hash = e.hash from audit_entries e
        where e.account_id = h.account_id and h.account_id = :alice and e.sequence = 5`,
    );
    expect(await verifyAudit(source.manager)).toMatchObject({ broken: 0 });
    expect(await faults()).toEqual([`${alice}, entry 6: was signed in statement 2 and is missing`]);
  });

  it('finds a chain that was deleted completely', async () => {
    await tamper(
      'delete from audit_entries where account_id = :bob',
      'delete from audit_heads where account_id = :bob',
    );
    expect(await verifyAudit(source.manager)).toMatchObject({ broken: 0 });
    expect(await faults()).toEqual([`${bob}, entry 2: was signed in statement 1 and is missing`]);
  });

  it.each([
    ['in the middle', 'number = 2', ['statement 2 is missing']],
    ['at the beginning', 'number < 3', ['statements 1 to 2 are missing']],
    ['at the end', 'number = 3', ['statement 3 is missing']],
    ['completely', 'true', ['statements 1 to 3 are missing']],
  ])('finds statements that were deleted %s', async (_position, condition, missing) => {
    await tamper(
      `delete from audit_signed_heads where statement_number in (select number from audit_statements where ${condition})`,
      `delete from audit_statements where ${condition}`,
    );
    expect((await faults()).filter((each) => each.startsWith('statement'))).toEqual(missing);
  });

  it('finds that the newest statements and the record of the newest one were deleted', async () => {
    await tamper(
      'delete from audit_signed_heads where statement_number = 3; delete from audit_statements where number = 3',
      'delete from audit_newest_statement',
    );
    expect(await faults()).toContain('the record of the newest statement is missing');
    await tamper('delete from audit_signed_heads; delete from audit_statements');
    await source.query(
      `insert into audit_signing_keys (kid, public_jwk, attestation, private_key) values ('own', '{}', '', '')`,
    );
    expect(await faults()).toContain('all statements are missing, and the record of the newest one');
  });

  it.each([
    [
      'a head that was replaced',
      `update audit_signed_heads set hash = sha256('x') where account_id = :alice and statement_number = 2`,
      'statement 2 covers other heads than those that are there',
    ],
    [
      'a head that was taken out',
      'delete from audit_signed_heads where account_id = :alice and statement_number = 1',
      'statement 1 covers 2 heads, of which 1 are there',
    ],
    [
      'statements with exchanged numbers',
      'update audit_statements set number = 10 - number where number > 1',
      'statements 2 to 6 are missing',
    ],
    [
      'a statement with a wrong signature',
      `update audit_statements set statement = overlay(statement placing 'AAAA' from length(statement) - 20) where number = 2`,
      'statement 2 has no valid signature',
    ],
    [
      'an invalid statement',
      `update audit_statements set statement = 'x' where number = 2`,
      'statement 2 has no valid signature',
    ],
    [
      'an old statement as the record of the newest one',
      'update audit_newest_statement set statement = (select statement from audit_statements where number = 2)',
      'the record of the newest statement is a signed statement of another kind',
    ],
  ])('finds %s', async (_what, sql, fault) => {
    await tamper(
      'alter table audit_signed_heads drop constraint if exists audit_signed_heads_statement_number_fkey',
      sql,
    );
    expect((await faults())[0]).toBe(fault);
  });

  it('does not trust another key that signs a rewritten log from its beginning', async () => {
    await rewriteChain(alice, 2, { details: { each: 'never' } });
    const heads = await source.query<{ accountId: string; sequence: number; hash: string }[]>(
      `select account_id as "accountId", sequence::int as sequence, encode(hash, 'hex') as hash from audit_heads order by account_id`,
    );
    const content = { number: 1, previous: noStatementHash, heads: heads.length, digest: headsDigest(heads), iat: 1 };
    const forged = await signStatement(attacker.signer, 'audit-statement+jws', content);
    const newest = await signStatement(attacker.signer, 'audit-newest+jws', {
      number: 1,
      hash: statementHash(forged),
      iat: 1,
    });
    await tamper(
      'delete from audit_signed_heads; delete from audit_statements',
      `insert into audit_statements values (1, '${forged}')`,
      `insert into audit_signed_heads select 1, account_id, sequence, hash from audit_heads`,
      `update audit_newest_statement set statement = '${newest}'`,
    );
    expect(await faults()).toEqual([
      'statement 1 was signed with the key attacker, which is not trusted',
      'the record of the newest statement was signed with the key attacker, which is not trusted',
    ]);
    expect((await verify(undefined, new Map([['attacker', { key: attacker.key }]]))).faults).toEqual([]);
  });

  it('finds a statement with a valid signature that does not follow the previous one', async () => {
    const [{ statement }] = await source.query<[{ statement: string }]>(
      'select statement from audit_statements where number = 2',
    );
    const payload = String(statement.split('.')[1]);
    const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as AuditStatement;
    const other = await signStatement(own.signer, 'audit-statement+jws', { ...content, previous: noStatementHash });
    await tamper(`update audit_statements set statement = '${other}' where number = 2`);
    expect(await faults()).toEqual([
      'statement 2 does not follow the one before it',
      'statement 3 does not follow the one before it',
    ]);
  });

  it('does not trust a key that was retired before', async () => {
    const retired = new Map([['own', { key: own.key, retiredAt: new Date(Date.now() - 60_000) }]]);
    expect((await verify(undefined, retired)).faults).toContain(
      'statement 1 was signed with the key own after the key was retired',
    );
  });
});

it('headsDigest depends on each member of each head and on their order', () => {
  const heads = [
    { accountId: 'a', sequence: 1, hash: 'x' },
    { accountId: 'b', sequence: 2, hash: 'y' },
  ];
  const all = [
    heads,
    heads.toReversed(),
    heads.slice(1),
    ...heads.flatMap((_, at) =>
      [{ accountId: 'c' }, { sequence: 9 }, { hash: 'z' }].map((change) =>
        heads.map((head, index) => (index === at ? { ...head, ...change } : head)),
      ),
    ),
  ];
  expect(new Set(all.map((each) => headsDigest(each))).size).toBe(all.length);
  expect(headsDigest([])).toBe(createHash('sha256').digest('hex'));
});
