import { type Scope, scopes } from '../catalogue/scopes.js';
import { integer, list, text, uuid } from '../schema/field.js';
import { oneOfKind } from '../schema/kinds.js';

/** The rights with which a trigger starts runs. */
export class TriggerAuthority {
  @uuid({ nullable: true, description: 'The person who set it up or took it over; null when unknown.' })
  accountId!: string | null;

  @text({ nullable: true, description: 'The handle of that person.' })
  handle!: string | null;

  @text({ nullable: true, description: 'The kind of credential that was used, such as session or developer.' })
  credentialKind!: string | null;

  @list(oneOfKind(scopes), { description: 'Runs and their agents have these scopes at most.' })
  scopes!: Scope[];

  @integer({ nullable: true, description: 'The credit limit of the token that was used; runs count against it.' })
  creditLimit!: number | null;
}

export const suspendedReasons = ['creator_removed', 'creator_demoted', 'account_closed', 'credential_revoked'] as const;
export type SuspendedReason = (typeof suspendedReasons)[number];

export const ofSuspendedReason = {
  nullable: true,
  description: 'The right that its creator lost. Nothing is started or sent until a take-over.',
} as const;
