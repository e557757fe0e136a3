import type { Scope } from '@lensforge/contracts';
import type { Actor, Credential } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import type { CreditPeriod } from './api-token.entity.js';
import type { TokenKind } from './token.js';

interface Row {
  hash: Buffer;
  id: string;
  kind: TokenKind;
  accountId: string;
  userId: string | null;
  scopes: Scope[];
  creditLimit: number | null;
  creditPeriod: CreditPeriod;
  connectorId: string | null;
  createdBy: string | null;
}

const byHash = preparedStatement(`
  select t.hash, t.id, t.kind, t.account_id as "accountId", t.user_id as "userId", t.scopes,
         t.credit_limit::float8 as "creditLimit", t.credit_period as "creditPeriod", t.connector_id as "connectorId",
         t.created_by as "createdBy"
    from api_tokens t
    join accounts a on a.id = t.account_id and a.disabled_at is null
    left join users u on u.id = t.user_id
   where t.hash = any($1) and t.revoked_at is null and not t.sealed and (t.expires_at is null or t.expires_at > now())
     and u.disabled_at is null`);

/**
 * Finds the actor of each hashed token in the given order; undefined when the token is unknown, expired or revoked, or its
 * owner is disabled. One indexed read serves many callers. There is no cache, so that a revoked token is refused at once.
 */
export async function findCredentials(db: EntityManager, hashes: readonly Buffer[]): Promise<(Actor | undefined)[]> {
  const unique = new Map(hashes.map((hash) => [hash.toString('base64'), hash]));
  const rows = await db.query<Row[]>(byHash, [[...unique.values()]]);
  const found = new Map(rows.map((row) => [row.hash.toString('base64'), row]));
  return hashes.map((hash) => {
    const row = found.get(hash.toString('base64'));
    return (
      row && {
        credential: {
          kind: row.kind,
          id: row.id,
          ...(row.connectorId !== null && { connectorId: row.connectorId }),
          ...(row.createdBy !== null && { creatorId: row.createdBy }),
          ...toCreditLimit(row),
        },
        accountId: row.accountId,
        userId: row.userId,
        scopes: row.scopes,
      }
    );
  });
}

const toCreditLimit = ({
  id,
  connectorId,
  creditLimit: credits,
  creditPeriod: period,
}: Row): Pick<Credential, 'creditLimit'> =>
  credits === null ? {} : { creditLimit: { id: connectorId ?? id, credits, period } };

/** Returns the ids of tokens that are still valid. Open event streams check this repeatedly. */
export async function stillValid(db: EntityManager, tokenIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }[]>(
    `select t.id from api_tokens t
       join accounts a on a.id = t.account_id and a.disabled_at is null
       left join users u on u.id = t.user_id
      where t.id = any($1) and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
        and u.disabled_at is null`,
    [tokenIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Records the use of credentials, at most once a minute each. */
export async function touchCredentials(db: EntityManager, tokenIds: readonly string[]): Promise<void> {
  await db.query(
    `update api_tokens set last_used_at = now()
      where id = any($1) and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [tokenIds],
  );
}
