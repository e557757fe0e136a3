import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { AuditSigner, SignedHead } from './audit-statement.js';
import { headsDigest, noStatementHash, signStatement, statementHash } from './audit-statement.js';

/** A statement by its place in the chain of statements. */
export interface StatementRef {
  number: number;
  hash: string;
}

export interface SigningOptions {
  /** The key that signs; it is asked for in the transaction that writes the statement. */
  signer: (ctx: Context) => Promise<AuditSigner>;
  /** Nothing is signed while the newest statement is younger. */
  everySeconds: number;
  /** The newest statement that this process has seen; it must still be there. */
  seen?: StatementRef | undefined;
  /** Heads in one statement. */
  most?: number;
}

export interface SigningOutcome {
  /** The newest statement there is. */
  newest: StatementRef | undefined;
  /** How many heads were signed now; undefined when no statement was due, or another process is making it. */
  heads: number | undefined;
}

/** Statements that this process has seen are missing or different: the audit log was rewritten. */
export class StatementsRewritten extends Error {
  override readonly name = 'StatementsRewritten';
}

const lockKey = 7_236_403;
const mostHeads = 20_000;

interface Newest {
  number: number;
  statement: string;
  isRecent: boolean;
}

/** Signs the heads of all chains that have changed since they were signed last. Heads that are in use wait for the next time. */
export function signAuditHeads(ctx: Context, order: SigningOptions): Promise<SigningOutcome> {
  return inTransaction(ctx, async (ctx) => {
    const [lock] = await ctx.db.query<[{ mine: boolean }]>('select pg_try_advisory_xact_lock($1) as mine', [lockKey]);
    if (!lock.mine) return { newest: order.seen, heads: undefined };
    const [newest] = await ctx.db.query<Newest[]>(
      `select number::float8 as number, statement, made_at > now() - $1 * interval '1 s' as "isRecent"
         from audit_statements order by number desc limit 1`,
      [order.everySeconds],
    );
    await refuseRewritten(ctx, order.seen);
    if (newest?.isRecent) return { newest: markOf(newest), heads: undefined };
    const heads = await claimHeads(ctx, order.most ?? mostHeads);
    const made = await makeStatement(ctx, await order.signer(ctx), newest, heads);
    return { newest: markOf(made), heads: heads.length };
  });
}

const markOf = ({ number, statement }: Pick<Newest, 'number' | 'statement'>): StatementRef => ({
  number,
  hash: statementHash(statement),
});

async function refuseRewritten({ db }: Context, seen: StatementRef | undefined): Promise<void> {
  if (!seen) return;
  const [there] = await db.query<{ statement: string }[]>('select statement from audit_statements where number = $1', [
    seen.number,
  ]);
  if (there && statementHash(there.statement) === seen.hash) return;
  throw new StatementsRewritten(
    `The signed statement ${seen.number} about the audit log, which this process has seen, is ${there ? 'another one now' : 'gone'}: the log was rewritten. Nothing is signed until the service is restarted`,
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
