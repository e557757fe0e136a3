import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';

/**
 * The person who answers for a token that is made now for this account; null for a person's own tokens. A token of a
 * community that makes another one passes on its creator. To be called in the transaction that makes the token: the
 * lock on the account orders it before or after the removal of that person.
 */
export async function creatorOf({ db, actor }: Context, accountId: string): Promise<string | null> {
  const { credential, accountId: caller } = actor;
  if (credential.kind === 'session') return caller === accountId ? null : caller;
  if (credential.kind !== 'organisation' && credential.kind !== 'service') return null;
  await db.query('select from accounts where id = $1 for share', [accountId]);
  const [token] = await db.query<{ createdBy: string | null }[]>(
    'select created_by as "createdBy" from api_tokens where id = $1 and revoked_at is null',
    [credential.id],
  );
  if (!token) throw new DomainError('UNAUTHENTICATED', 'The token was revoked while the request was under way');
  return token.createdBy;
}
