import type { EntityManager } from 'typeorm';
import {
  type AuditPublicKey,
  type SignedHead,
  headsDigest,
  noStatementHash,
  readStatement,
  statementHash,
} from './audit-statement.js';

export interface StatementVerdict {
  statements: number;
  /** The signing time of the newest statement. */
  until: Date | undefined;
  /** Descriptions of faults; at most `most`. */
  faults: string[];
  /** The number of faults. */
  broken: number;
}

export interface StatementCheck {
  /** The trusted keys by id; they must not come from the database alone. */
  keys: ReadonlyMap<string, AuditPublicKey>;
  /** Limits the check of entries to one account; all statements are verified. */
  accountId?: string | undefined;
  most?: number;
}

/** Entries are signed every hour; an unsigned entry of this age is a fault. */
const maxUnsignedAge = '2 hours';
const pageSize = 500;

interface Statement {
  number: number;
  statement: string;
}

/**
 * Verifies the signed statements and compares the audit log with them. An attacker with only the database can recompute
 * hashes but cannot sign them.
 */
export async function verifyStatements(
  db: EntityManager,
  { keys, accountId, most = 100 }: StatementCheck,
): Promise<StatementVerdict> {
  const verdict: StatementVerdict = { statements: 0, until: undefined, faults: [], broken: 0 };
  const report = (fault: string): void => {
    verdict.broken += 1;
    if (verdict.faults.length < most) verdict.faults.push(fault);
  };
  const chain = new StatementChain(keys, report);
  for await (const statement of statements(db)) await chain.follow(db, statement);
  await chain.close(db);
  for await (const fault of rewritten(db, accountId)) report(fault);
  for await (const fault of unsigned(db, accountId)) report(fault);
  return { ...verdict, statements: chain.count, until: chain.until };
}

class StatementChain {
  count = 0;
  until: Date | undefined;
  #number = 0;
  #hash = noStatementHash;

  constructor(
    private readonly keys: StatementCheck['keys'],
    private readonly report: (fault: string) => void,
  ) {}

  async follow(db: EntityManager, { number, statement }: Statement): Promise<void> {
    const isNext = number === this.#number + 1;
    if (!isNext) this.report(`${numbersWithVerb(this.#number + 1, number - 1)} missing`);
    const fault = await this.findStatementFault(db, { number, statement }, isNext);
    if (fault !== undefined) this.report(`statement ${number} ${fault}`);
    this.count += 1;
    this.#number = number;
    this.#hash = statementHash(statement);
  }

  private async findStatementFault(db: EntityManager, { number, statement }: Statement, isNext: boolean) {
    const read = await readStatement(this.keys, 'audit-statement+jws', statement);
    if ('fault' in read) return read.fault;
    const { content } = read;
    this.until = new Date(content.iat * 1000);
    if (content.number !== number) return `contains the signed statement ${content.number}`;
    if (isNext && content.previous !== this.#hash) return 'does not follow the one before it';
    const heads = await readSignedHeads(db, number);
    if (heads.length !== content.heads) return `covers ${content.heads} heads, of which ${heads.length} are there`;
    return headsDigest(heads) === content.digest ? undefined : 'covers other heads than those that are there';
  }

  /** Compares the newest statement with the signed record of it. */
  async close(db: EntityManager): Promise<void> {
    const [row] = await db.query<{ statement: string }[]>('select statement from audit_newest_statement');
    if (!row) {
      if (this.count > 0) this.report('the record of the newest statement is missing');
      else if (await hasSigningKey(db)) this.report('all statements are missing, and the record of the newest one');
      return;
    }
    const read = await readStatement(this.keys, 'audit-newest+jws', row.statement);
    if ('fault' in read) this.report(`the record of the newest statement ${read.fault}`);
    else if (read.content.number > this.#number)
      this.report(`${numbersWithVerb(this.#number + 1, read.content.number)} missing`);
    else if (read.content.number < this.#number || read.content.hash !== this.#hash)
      this.report(`the record of the newest statement names another statement than ${this.#number}`);
  }
}

const numbersWithVerb = (from: number, to: number): string =>
  from === to ? `statement ${from} is` : `statements ${from} to ${to} are`;

/** True when a signing key exists; the first statement creates it. */
async function hasSigningKey(db: EntityManager): Promise<boolean> {
  const rows = await db.query<unknown[]>('select from audit_signing_keys limit 1');
  return rows.length > 0;
}

async function* statements(db: EntityManager): AsyncGenerator<Statement> {
  for (let after = 0; ;) {
    const rows: Statement[] = await db.query<Statement[]>(
      `select number::float8 as number, statement from audit_statements where number > $1 order by number limit $2`,
      [after, pageSize],
    );
    yield* rows;
    if (rows.length < pageSize) return;
    after = rows.at(-1)?.number ?? after;
  }
}

async function readSignedHeads(db: EntityManager, number: number): Promise<SignedHead[]> {
  return db.query<SignedHead[]>(
    `select account_id as "accountId", sequence::float8 as sequence, encode(hash, 'hex') as hash
       from audit_signed_heads where statement_number = $1 order by account_id`,
    [number],
  );
}

interface Rewritten {
  accountId: string;
  sequence: string;
  number: string;
  isThere: boolean;
}

const minUuid = '00000000-0000-0000-0000-000000000000';
const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The first entry of each chain that differs from its signed hash. */
async function* rewritten(db: EntityManager, accountId: string | undefined): AsyncGenerator<string> {
  for (let after = { accountId: accountId ?? minUuid, inclusive: true }; ;) {
    const rows: Rewritten[] = await db.query<Rewritten[]>(
      `select distinct on (s.account_id) s.account_id as "accountId", s.sequence, s.statement_number as number,
              e.hash is not null as "isThere"
         from audit_signed_heads s left join audit_entries e on e.account_id = s.account_id and e.sequence = s.sequence
        where (s.account_id > $1 or ($3 and s.account_id = $1)) and s.account_id <= $2 and e.hash is distinct from s.hash
        order by s.account_id, s.sequence limit $4`,
      [after.accountId, accountId ?? maxUuid, after.inclusive, pageSize],
    );
    for (const { accountId, sequence, number, isThere } of rows) {
      const what = isThere ? 'with another hash: it, or one before it, was rewritten' : 'and is missing';
      yield `${accountId}, entry ${sequence}: was signed in statement ${number} ${what}`;
    }
    if (rows.length < pageSize) return;
    after = { accountId: rows.at(-1)?.accountId ?? maxUuid, inclusive: false };
  }
}

/** Chains with entries that are overdue for a signature. */
async function* unsigned(db: EntityManager, accountId: string | undefined): AsyncGenerator<string> {
  for (let after = { accountId: accountId ?? minUuid, inclusive: true }; ;) {
    const rows: { accountId: string; sequence: string; at: string }[] = await db.query(
      `select h.account_id as "accountId", e.sequence, iso(e.occurred_at) as at
         from audit_heads h
         cross join lateral (select coalesce(max(s.sequence), 0) as signed
                               from audit_signed_heads s where s.account_id = h.account_id) s
         join audit_entries e on e.account_id = h.account_id and e.sequence = s.signed + 1
        where (h.account_id > $1 or ($3 and h.account_id = $1)) and h.account_id <= $2 and h.sequence > s.signed
          and e.occurred_at < now() - interval '${maxUnsignedAge}'
        order by h.account_id limit $4`,
      [after.accountId, accountId ?? maxUuid, after.inclusive, pageSize],
    );
    for (const { accountId, sequence, at } of rows)
      yield `${accountId}, entry ${sequence}: of ${at} is not signed yet; the oauth service signs every hour`;
    if (rows.length < pageSize) return;
    after = { accountId: rows.at(-1)?.accountId ?? maxUuid, inclusive: false };
  }
}
