import type { DelegationName } from '@lensforge/contracts';

/** A kind of object that a person sets up in an account, and that then acts for the account without the person. */
export interface DelegationKind {
  table: string;
  /** SQL of the name for people. */
  name: string;
  /** SQL that is true for a row that still acts. */
  acts: string;
  /** SQL assignments that stop it at once, besides the mark. */
  stop: string;
}

/**
 * The kinds that end with the role of their creator. They are rows of other packages; one statement for each in the transaction
 * that ends the role is the reason that this package names their tables. A connector acts by its tokens, which are revoked;
 * MCP servers and BYOK keys belong to persons only.
 */
export const delegationKinds = {
  incoming_webhook: { table: 'incoming_webhooks', name: 'name', acts: 'removed_at is null', stop: '' },
  schedule: {
    table: 'schedules',
    name: 'title',
    acts: 'true',
    stop: `, enabled = false, next_at = null, paused_reason = coalesce(paused_reason, 'its creator lost the right to it')`,
  },
  evaluation_rule: { table: 'evaluation_rules', name: 'name', acts: 'true', stop: '' },
  webhook_endpoint: {
    table: 'webhook_endpoints',
    name: 'url',
    acts: 'removed_at is null',
    stop: `, disabled_at = coalesce(disabled_at, now()), disabled_reason = coalesce(disabled_reason, 'owner'), notice_due = false`,
  },
} as const satisfies Record<Exclude<DelegationName, 'connector'>, DelegationKind>;
