import { recordAudit } from '@lensforge/audit';
import { type Context, DomainError, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { createAccount } from './create-account.js';
import { asUser, getAuditAccount } from '../tokens/acting-user.js';
import { User } from './user.entity.js';

export interface ExternalIdentity {
  issuer: string;
  subject: string;
  email?: string | undefined;
  preferredUsername?: string | undefined;
}

/**
 * Returns the user of a trusted token issuer's subject and creates it at first use. It is never a user who signed up here,
 * whatever email the issuer names.
 */
export async function findOrCreateExternalUser(ctx: Context, identity: ExternalIdentity): Promise<User> {
  if (!/^[^\u0000]{1,255}$/su.test(identity.subject)) {
    throw new DomainError('UNAUTHENTICATED', 'The subject of the token must have 1 to 255 characters');
  }
  const found = await find(ctx, identity);
  if (found) return found;
  // Another transaction may take the handle first; the next try picks another one.
  for (let tries = 0; ; tries += 1) {
    try {
      return await inTransaction(ctx, (ctx) => makeUser(ctx, identity));
    } catch (reason) {
      if (!(reason instanceof DomainError && reason.code === 'CONFLICT') || tries === 3) throw reason;
    }
  }
}

const find = (ctx: Context, { issuer, subject }: ExternalIdentity): Promise<User | null> =>
  ctx.db
    .createQueryBuilder(User, 'u')
    .innerJoin('outside_identities', 'o', 'o.user_id = u.id')
    .where('o.issuer = :issuer and o.subject = :subject', { issuer, subject })
    .getOne();

async function makeUser(ctx: Context, identity: ExternalIdentity): Promise<User> {
  const { issuer, subject, email } = identity;
  await ctx.db.query('select pg_advisory_xact_lock(hashtextextended($1, 7237))', [JSON.stringify([issuer, subject])]);
  const found = await find(ctx, identity);
  if (found) return found;
  const handle = await freeHandle(ctx, identity);
  const account =
    handle === undefined ? undefined : await createAccount(ctx, { kind: 'person', handle, displayName: handle });
  const id = newId();
  await ctx.db.insert(User, { id, accountId: account?.id ?? null, createdAt: ctx.now() });
  await ctx.db.query('insert into outside_identities (issuer, subject, email, user_id) values ($1, $2, $3, $4)', [
    issuer,
    subject,
    email?.replaceAll('\u0000', '').slice(0, 254) ?? null,
    id,
  ]);
  const fact = { action: 'user.signed_up', target: { kind: 'user', id }, details: { issuer } } as const;
  const user = await ctx.db.findOneByOrFail(User, { id });
  await recordAudit(asUser(ctx, user), { ...fact, accountId: getAuditAccount(user) });
  return user;
}

async function freeHandle(ctx: Context, { preferredUsername, email }: ExternalIdentity): Promise<string | undefined> {
  const preferred = [preferredUsername, email].map(handleFrom).filter((name) => name !== undefined);
  const candidates = preferred.flatMap((name) => [
    name,
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${name}-${number}`),
  ]);
  if (candidates.length === 0) return undefined;
  const [free] = await ctx.db.query<{ handle: string }[]>(
    `select handle from unnest($1::text[]) with ordinality as c (handle, position)
      where not exists (select from accounts a where a.handle = c.handle) order by position limit 1`,
    [candidates],
  );
  return free?.handle;
}

function handleFrom(name: string | undefined): string | undefined {
  const plain = (name?.split('@')[0] ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const handle = plain
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 60);
  return handle.length >= 3 ? handle : undefined;
}
