import type { Scope } from '@lensforge/contracts';

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
  /** The connector that a service token belongs to. */
  readonly connectorId?: string;
  /** The account of the administrator who created a token of a community. */
  readonly creatorId?: string;
  /** Expiry in seconds since 1970, for a credential that carries it. */
  readonly until?: number;
  /** The spending limit. `id` is the counter: the token, the connector that the token belongs to, or the AI lenser. */
  readonly creditLimit?: {
    readonly id: string;
    readonly credits: number;
    readonly period: 'day' | 'month' | 'total';
    /** Present for the cap of an AI lenser. */
    readonly of?: 'agent';
  };
  /** The id of a run's read token, when the request used one; anyone with the link can hold it. */
  readonly readToken?: string;
}

/** The caller of a use case. `accountId` owns what the use case creates; platform processes act as 'service_role'. */
export interface Actor {
  readonly credential: Credential;
  readonly accountId: string;
  readonly userId: string | null;
  readonly scopes: readonly Scope[];
}

/** The account id of actors without an account. */
export const noAccountId = '00000000-0000-0000-0000-000000000000';

/** The actor of background work. */
export const platformActor: Actor = {
  credential: { kind: 'service_role', id: noAccountId },
  accountId: noAccountId,
  userId: null,
  scopes: [],
};
