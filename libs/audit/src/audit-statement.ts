import { type KeyObject, createHash } from 'node:crypto';
import { CompactSign, compactVerify, decodeProtectedHeader, errors } from 'jose';

/** The private key that signs statements. */
export interface AuditSigner {
  kid: string;
  key: KeyObject;
}

/** The public key of a signer. */
export interface AuditPublicKey {
  key: KeyObject;
  /** Statements after this time are not trusted. */
  retiredAt?: Date | undefined;
}

export interface SignedHead {
  accountId: string;
  sequence: number;
  /** In hexadecimal, like all hashes of this library. */
  hash: string;
}

/** A statement about the heads of all chains that changed since the previous one; signed every hour. */
export interface AuditStatement {
  /** 1, 2, 3, without gaps. */
  number: number;
  /** The hash of the previous statement. */
  previous: string;
  /** The number of covered heads. */
  heads: number;
  /** The hash over all covered heads. */
  digest: string;
  /** The signing time in seconds since 1970. */
  iat: number;
}

/** The position of the newest statement, signed again with each one, so that a deletion of the newest is found. */
export interface NewestStatement {
  number: number;
  hash: string;
  iat: number;
}

interface Kinds {
  'audit-statement+jws': AuditStatement;
  'audit-newest+jws': NewestStatement;
}

/** The `previous` of the first statement. */
export const noStatementHash = '0'.repeat(64);

export const statementHash = (statement: string): string => createHash('sha256').update(statement).digest('hex');

/** The hash over heads, which must be sorted by account. */
export function headsDigest(heads: Iterable<SignedHead>): string {
  const hash = createHash('sha256');
  for (const { accountId, sequence, hash: head } of heads) hash.update(`${accountId} ${sequence} ${head}\n`);
  return hash.digest('hex');
}

/** A compact JWS with ES256. */
export const signStatement = <T extends keyof Kinds>(
  { kid, key }: AuditSigner,
  typ: T,
  content: Kinds[T],
): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify(content))).setProtectedHeader({ alg: 'ES256', typ, kid }).sign(key);

/** Verifies a statement; returns its content or the fault. */
export async function readStatement<T extends keyof Kinds>(
  keys: ReadonlyMap<string, AuditPublicKey>,
  typ: T,
  statement: string,
): Promise<{ content: Kinds[T] } | { fault: string }> {
  try {
    const header = decodeProtectedHeader(statement);
    const kid = String(header.kid);
    const known = keys.get(kid);
    if (!known) return { fault: `was signed with the key ${kid.slice(0, 60)}, which is not trusted` };
    if (header.typ !== typ) return { fault: 'is a signed statement of another kind' };
    const { payload } = await compactVerify(statement, known.key, { algorithms: ['ES256'] });
    const content = JSON.parse(Buffer.from(payload).toString('utf8')) as Kinds[T];
    const { retiredAt } = known;
    if (retiredAt && content.iat * 1000 > retiredAt.getTime() + 1000)
      return { fault: `was signed with the key ${kid} after the key was retired` };
    return { content };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
      return { fault: 'has no valid signature' };
    throw error;
  }
}
