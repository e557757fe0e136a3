import { type Scope, scopes as allScopes, grants, isScope } from '@lensforge/contracts';
import type { Actor, Credential, CredentialKind } from './actor.js';
import { DomainError } from './domain-error.js';

export type CreditLimit = NonNullable<Credential['creditLimit']>;

/** The rights that a run has at most. */
export interface Rights {
  readonly scopes: readonly Scope[];
  readonly creditLimit: CreditLimit | null;
}

/** The rights of a credential, stored with what it sets up for later. Missing scopes are none. */
export interface Authority extends Rights {
  readonly accountId: string;
  readonly userId: string | null;
  /** null for rows from before authorities were stored. */
  readonly credentialKind: CredentialKind | null;
  /** The token, or the connector that the token belongs to. */
  readonly credentialId: string | null;
}

/** The authority of a caller. The service role has all scopes. */
export const toAuthority = ({ accountId, userId, credential, scopes }: Actor): Authority => ({
  accountId,
  userId,
  credentialKind: credential.kind,
  credentialId: credential.connectorId ?? credential.id,
  scopes: credential.kind === 'service_role' ? allScopes : scopes,
  creditLimit: credential.creditLimit ?? null,
});

/** The rights in a stored JSON object. What it does not name is not allowed. */
export function readRights(stored: Partial<Rights> | null): Rights {
  const { scopes, creditLimit } = stored ?? {};
  return { scopes: Array.isArray(scopes) ? scopes.map(String).filter(isScope) : [], creditLimit: creditLimit ?? null };
}

/** The rights that both have. Two different credit limits are refused, as a run counts against one. */
export function intersectRights(one: Rights, other: Rights): Rights {
  const scopes = allScopes.filter((scope) => grants(one.scopes, scope) && grants(other.scopes, scope));
  return { scopes, creditLimit: lowerLimit(one.creditLimit, other.creditLimit) };
}

function lowerLimit(one: CreditLimit | null, other: CreditLimit | null): CreditLimit | null {
  if (!one || !other) return one ?? other;
  if (one.id === other.id) return one.credits <= other.credits ? one : other;
  throw new DomainError(
    'FORBIDDEN',
    'Two tokens with different credit limits have set this up, and a run counts against one: take the trigger over, and save the graph again, with the same credential',
  );
}

/** True when the first has a right that the other one lacks. */
export const exceeds = (one: Rights, other: Rights): boolean =>
  allScopes.some((scope) => grants(one.scopes, scope) && !grants(other.scopes, scope)) ||
  (other.creditLimit !== null && one.creditLimit?.id !== other.creditLimit.id);
