import { recordAudit } from '@lensforge/audit';
import { type Context, DomainError, newId, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  generateRegistrationOptions,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { confirmPassword } from '../accounts/confirm-password.js';
import type { User } from '../accounts/user.entity.js';
import { asUser, getAuditAccount } from '../tokens/acting-user.js';
import { type PasskeyChallenge, base64url, useChallenge } from './challenge.js';

export const MAX_PASSKEYS = 20;

export interface Passkey {
  id: string;
  label: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export const listPasskeys = (ctx: Context, userId: string): Promise<Passkey[]> =>
  ctx.db.query<Passkey[]>(
    `select id, label, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys where user_id = $1
      order by id`,
    [userId],
  );

/** The options with which a browser creates a passkey for a user. */
export async function newPasskeyOptions(
  ctx: Context,
  user: User,
  { site, challenge }: PasskeyChallenge,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await ctx.db.query<{ credentialId: Buffer; transports: string[] }[]>(
    'select credential_id as "credentialId", transports from passkeys where user_id = $1',
    [user.id],
  );
  return generateRegistrationOptions({
    rpName: 'Lensforge',
    rpID: site.domain,
    userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    userName: user.email ?? user.id,
    challenge: new Uint8Array(challenge),
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: base64url(credentialId), transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

export interface NewPasskey extends PasskeyChallenge {
  userId: string;
  password: string;
  label: string;
  /** The response of the browser, as JSON. */
  response: string;
}

export async function addPasskey(ctx: Context, order: NewPasskey): Promise<void> {
  const label = order.label.trim();
  if (label === '' || label.length > 100) throw new DomainError('BAD_INPUT', 'label: it must have 1 to 100 characters');
  const { user } = await confirmPassword(ctx, { userId: order.userId, password: order.password, field: 'password' });
  const credential = await verifiedCredential(order);
  await inTransaction(ctx, async (ctx) => {
    await useChallenge(ctx, order.challenge);
    await ctx.db.query('select from users where id = $1 for update', [user.id]);
    if ((await listPasskeys(ctx, user.id)).length >= MAX_PASSKEYS) {
      throw new DomainError('CONFLICT', `You have ${MAX_PASSKEYS} passkeys: remove one first`);
    }
    const stored = await ctx.db.query<unknown[]>(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, label)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing returning id`,
      [
        newId(),
        user.id,
        Buffer.from(credential.id, 'base64url'),
        Buffer.from(credential.publicKey),
        credential.counter,
        credential.transports ?? [],
        label,
      ],
    );
    if (stored.length === 0) throw new DomainError('CONFLICT', 'This passkey is known already');
    await auditPasskey(ctx, user, 'passkey.added');
  });
}

type Credential = NonNullable<VerifiedRegistrationResponse['registrationInfo']>['credential'];

async function verifiedCredential({ response, site, challenge }: NewPasskey): Promise<Credential> {
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(response) as RegistrationResponseJSON,
      expectedChallenge: base64url(challenge),
      expectedOrigin: site.origin,
      expectedRPID: site.domain,
    });
    if (registrationInfo) return registrationInfo.credential;
  } catch {
    // The error below says what to do; the reason would only help an attacker.
  }
  throw new DomainError('BAD_INPUT', 'The browser sent no valid passkey: try again');
}

export async function removePasskey(
  ctx: Context,
  { userId, passkeyId, password }: { userId: string; passkeyId: string; password: string },
): Promise<void> {
  const { user } = await confirmPassword(ctx, { userId, password, field: 'password' });
  await inTransaction(ctx, async (ctx) => {
    const [, count] = await ctx.db.query<[unknown, number]>('delete from passkeys where id = $1 and user_id = $2', [
      passkeyId,
      userId,
    ]);
    if (count === 0) throw notFound('passkey', passkeyId);
    await auditPasskey(ctx, user, 'passkey.removed');
  });
}

const auditPasskey = (ctx: Context, user: User, action: 'passkey.added' | 'passkey.removed'): Promise<unknown> =>
  recordAudit(asUser(ctx, user), { accountId: getAuditAccount(user), action, target: { kind: 'user', id: user.id } });
