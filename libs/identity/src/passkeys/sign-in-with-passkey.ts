import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import { Account } from '../accounts/account.entity.js';
import { User } from '../accounts/user.entity.js';
import { completeSignIn } from '../sessions/complete-sign-in.js';
import { type PasskeyChallenge, base64url, useChallenge } from './challenge.js';

/** The options with which a browser asks for one of its passkeys. */
export const passkeyOptions = ({ site, challenge }: PasskeyChallenge): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  generateAuthenticationOptions({
    rpID: site.domain,
    challenge: new Uint8Array(challenge),
    userVerification: 'required',
  });

export interface PasskeySignIn extends PasskeyChallenge {
  /** The response of the browser, as JSON. */
  response: string;
  /** The client's address. */
  address: string;
}

interface StoredPasskey {
  id: string;
  userId: string;
  publicKey: Buffer;
  counter: string;
}

/** Returns the user of a passkey. The device has verified the person, so that no code is needed. */
export async function signInWithPasskey(ctx: Context, order: PasskeySignIn): Promise<User> {
  const response = parsed(order.response);
  const passkey = response && (await findPasskey(ctx, response.id));
  const counter = passkey && (await verifiedCounter(order, response, passkey));
  if (!passkey || counter === undefined) throw refused();
  return inTransaction(ctx, async (ctx) => {
    await useChallenge(ctx, order.challenge);
    const user = await openUser(ctx, passkey.userId);
    // A counter that does not grow shows a copied key. Keys that are synchronised send 0 each time.
    const [, count] = await ctx.db.query<[unknown, number]>(
      `update passkeys set counter = $2, last_used_at = now() where id = $1 and (counter < $2 or counter = 0 and $2 = 0)`,
      [passkey.id, counter],
    );
    if (!user || count === 0) throw refused();
    await completeSignIn(ctx, user, order.address);
    return user;
  });
}

const refused = (): DomainError =>
  new DomainError('UNAUTHENTICATED', 'This passkey is not known here: sign in with your password');

function parsed(text: string): AuthenticationResponseJSON | undefined {
  try {
    const response = JSON.parse(text) as Partial<AuthenticationResponseJSON> | null;
    return typeof response?.id === 'string' ? (response as AuthenticationResponseJSON) : undefined;
  } catch {
    return undefined;
  }
}

async function findPasskey(ctx: Context, credentialId: string): Promise<StoredPasskey | undefined> {
  const [row] = await ctx.db.query<StoredPasskey[]>(
    'select id, user_id as "userId", public_key as "publicKey", counter from passkeys where credential_id = $1',
    [Buffer.from(credentialId, 'base64url')],
  );
  return row;
}

async function verifiedCounter(
  { site, challenge }: PasskeySignIn,
  response: AuthenticationResponseJSON,
  { publicKey }: StoredPasskey,
): Promise<number | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: base64url(challenge),
      expectedOrigin: site.origin,
      expectedRPID: site.domain,
      // The counter is compared when it is stored.
      credential: { id: response.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

async function openUser(ctx: Context, userId: string): Promise<User | undefined> {
  const user = await ctx.db
    .createQueryBuilder(User, 'u')
    .leftJoin(Account, 'a', 'a.id = u.account_id')
    .where('u.id = :userId and u.disabled_at is null and a.disabled_at is null', { userId })
    .getOne();
  return user ?? undefined;
}
