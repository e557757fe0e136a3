import type { Scope } from '@lensforge/contracts';
import { grants } from '@lensforge/contracts';
import type { Context } from './context.js';
import { DomainError } from './domain-error.js';

export const credentialKinds = [
  'session',
  'anonymous',
  'mcp',
  'developer',
  'organisation',
  'service',
  'service_role',
] as const;
export type CredentialKind = (typeof credentialKinds)[number];

export interface Credential {
  readonly kind: CredentialKind;
  readonly id: string;
  /** In seconds since 1970, of a credential that says itself how long it counts. */
  readonly until?: number;
  /** What may be spent with it, counted under an id: that of the token, or of the connector whose token it is. */
  readonly creditLimit?: { readonly id: string; readonly credits: number; readonly period: 'month' | 'total' };
  /** Names the read token of a run that was shown instead of the credential; its holder may be anyone with the link. */
  readonly readToken?: string;
}

/** Who asks. `accountId` owns what is made; a platform process acts as 'service_role' on nobody's account. */
export interface Actor {
  readonly credential: Credential;
  readonly accountId: string;
  readonly userId: string | null;
  readonly scopes: readonly Scope[];
}

export function requireScope(ctx: Context, needed: Scope): void {
  if (isServiceRole(ctx) || grants(ctx.actor.scopes, needed)) return;
  throw new DomainError('INSUFFICIENT_SCOPE', `This needs the scope ${needed}, which the credential does not carry`, {
    scope: needed,
  });
}

export const isServiceRole = (ctx: Context): boolean => ctx.actor.credential.kind === 'service_role';

/** The account of those who act for no account. */
export const noAccountId = '00000000-0000-0000-0000-000000000000';

/** The platform itself, for work that no caller asked for at this moment. */
export const platformActor: Actor = {
  credential: { kind: 'service_role', id: noAccountId },
  accountId: noAccountId,
  userId: null,
  scopes: [],
};
