import { type Context, DomainError } from '@lensforge/core';
import { IsNull } from 'typeorm';
import { ApiToken } from './api-token.entity.js';

/**
 * Returns the account that a new token of `accountId` is attributed to; null for a person's own tokens. A token of a community
 * passes on its own creator. Call it in the transaction that creates the token: a lock on the account orders it before or
 * after the removal of the creator.
 */
export async function findCreator({ db, actor }: Context, accountId: string): Promise<string | null> {
  const { credential, accountId: caller } = actor;
  if (credential.kind === 'session') return caller === accountId ? null : caller;
  if (credential.kind !== 'organisation' && credential.kind !== 'service') return null;
  await db.query('select from accounts where id = $1 for share', [accountId]);
  const token = await db.findOne(ApiToken, {
    select: { id: true, createdBy: true },
    where: { id: credential.id, revokedAt: IsNull() },
  });
  if (!token) throw new DomainError('UNAUTHENTICATED', 'The token was revoked while the request was under way');
  return token.createdBy;
}
