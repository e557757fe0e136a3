import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import {
  type AuditSigner,
  type SignedHead,
  headsDigest,
  noStatementHash,
  signStatement,
  statementHash,
} from './audit-statement.js';

/** The number and hash of a statement. */
export interface StatementRef {
  number: number;
  hash: string;
}

export interface SigningOptions {
  /** Returns the signing key; called in the transaction that writes the statement. */
  signer: (ctx: Context) => Promise<AuditSigner>;
  /** No statement is statement while the newest one is younger. */
  everySeconds: number;
  /** The newest statement that this process has seen; it must still exist. */
  seen?: StatementRef | undefined;
  /** The largest number of heads in a statement. */
  most?: number;
}

export interface SigningOutcome {
  /** The newest statement. */
  newest: StatementRef | undefined;
  /** The number of signed heads; undefined when no statement was due or another process makes it. */
  heads: number | undefined;
}

/** A statement that this process has seen is missing or different: the audit log was rewritten. */
export class StatementsRewritten extends Error {
  override readonly name = 'StatementsRewritten';
}

const lockKey = 7_236_403;
const maxHeads = 20_000;

interface Newest {
  number: number;
  statement: string;
  isRecent: boolean;
}

/** Signs the heads of all chains that changed since their last signature. Locked heads are left to the next statement. */
export function signAuditHeads(ctx: Context, options: SigningOptions): Promise<SigningOutcome> {
  return inTransaction(ctx, async (ctx) => {
    const [lock] = await ctx.db.query<[{ mine: boolean }]>('select pg_try_advisory_xact_lock($1) as mine', [lockKey]);
    if (!lock.mine) return { newest: options.seen, heads: undefined };
    const [newest] = await ctx.db.query<Newest[]>(
      `select number::float8 as number, statement, made_at > now() - $1 * interval '1 s' as "isRecent"
         from audit_statements order by number desc limit 1`,
      [options.everySeconds],
    );
    await refuseRewritten(ctx, options.seen);
    if (newest?.isRecent) return { newest: toStatementRef(newest), heads: undefined };
    const heads = await claimHeads(ctx, options.most ?? maxHeads);
    const statement = await makeStatement(ctx, await options.signer(ctx), newest, heads);
    return { newest: toStatementRef(statement), heads: heads.length };
  });
}

const toStatementRef = ({ number, statement }: Pick<Newest, 'number' | 'statement'>): StatementRef => ({
  number,
  hash: statementHash(statement),
});

async function refuseRewritten({ db }: Context, seen: StatementRef | undefined): Promise<void> {
  if (!seen) return;
  const [found] = await db.query<{ statement: string }[]>('select statement from audit_statements where number = $1', [
    seen.number,
  ]);
  if (found && statementHash(found.statement) === seen.hash) return;
  throw new StatementsRewritten(
    `The signed statement ${seen.number} about the audit log, which this process has seen, is ${found ? 'different now' : 'missing'}: the log was rewritten. Nothing is signed until the service is restarted`,
  );
}

async function claimHeads({ db }: Context, most: number): Promise<SignedHead[]> {
  const [rows] = await db.query<[SignedHead[], number]>(
    `with due as (
       select account_id from audit_heads where not signed and sequence > 0
        order by account_id limit $1 for update skip locked)
     update audit_heads h set signed = true from due where h.account_id = due.account_id
     returning h.account_id as "accountId", h.sequence::float8 as sequence, encode(h.hash, 'hex') as hash`,
    [most],
  );
  return rows.sort((one, other) => (one.accountId < other.accountId ? -1 : 1));
}

async function makeStatement(
  ctx: Context,
  signer: AuditSigner,
  before: Newest | undefined,
  heads: readonly SignedHead[],
): Promise<{ number: number; statement: string }> {
  const iat = Math.floor(ctx.now().getTime() / 1000);
  const number = (before?.number ?? 0) + 1;
  const statement = await signStatement(signer, 'audit-statement+jws', {
    number,
    previous: before ? statementHash(before.statement) : noStatementHash,
    heads: heads.length,
    digest: headsDigest(heads),
    iat,
  });
  const newest = { number, hash: statementHash(statement), iat };
  await ctx.db.query('insert into audit_statements (number, statement) values ($1, $2)', [number, statement]);
  await ctx.db.query(
    `insert into audit_signed_heads (statement_number, account_id, sequence, hash)
     select $1, account_id, sequence, decode(hash, 'hex')
       from unnest($2::uuid[], $3::bigint[], $4::text[]) as head (account_id, sequence, hash)`,
    [number, heads.map((each) => each.accountId), heads.map((each) => each.sequence), heads.map((each) => each.hash)],
  );
  await ctx.db.query(
    `insert into audit_newest_statement (statement) values ($1)
     on conflict (one) do update set statement = excluded.statement`,
    [await signStatement(signer, 'audit-newest+jws', newest)],
  );
  return { number, statement };
}
