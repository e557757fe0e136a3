import type { RunOrigin } from '../resources/runs.js';

/** The changes that can take rights from what was set up earlier. */
export const delegationSituations = {
  creatorRemoved: 'creator removed',
  creatorDemoted: 'creator demoted',
  tokenRevoked: 'token revoked',
  tokenExpired: 'token expired',
  fewerScopes: 'token with fewer scopes',
  creditLimited: 'token with a credit limit',
} as const;
export type DelegationSituation = keyof typeof delegationSituations;

/**
 * acts: no change. stopped: it does nothing until a take-over. narrowed: its runs have the scopes of the token. counted: its runs
 * count against the limit of the token. refused: such a token cannot set it up.
 */
export type DelegationOutcome = 'acts' | 'stopped' | 'narrowed' | 'counted' | 'refused';

interface Delegation {
  title: string;
  outcomes: Record<DelegationSituation, DelegationOutcome>;
}

const ofRole = { creatorRemoved: 'stopped', creatorDemoted: 'stopped' } as const;
const ofTrigger = {
  ...ofRole,
  tokenRevoked: 'stopped',
  tokenExpired: 'acts',
  fewerScopes: 'narrowed',
  creditLimited: 'counted',
} as const;

/** Everything that a person sets up in an account and that acts for it later. A test performs each cell. */
export const delegations = {
  incoming_webhook: { title: 'incoming webhook', outcomes: ofTrigger },
  schedule: { title: 'schedule', outcomes: ofTrigger },
  evaluation_rule: {
    title: 'rule of evaluation',
    outcomes: {
      ...ofRole,
      tokenRevoked: 'stopped',
      tokenExpired: 'acts',
      fewerScopes: 'refused',
      creditLimited: 'counted',
    },
  },
  webhook_endpoint: {
    title: 'webhook endpoint',
    outcomes: { ...ofRole, tokenRevoked: 'acts', tokenExpired: 'acts', fewerScopes: 'acts', creditLimited: 'acts' },
  },
  connector: {
    title: 'connector',
    outcomes: {
      ...ofRole,
      tokenRevoked: 'acts',
      tokenExpired: 'acts',
      fewerScopes: 'refused',
      creditLimited: 'refused',
    },
  },
} as const satisfies Record<string, Delegation>;
export type DelegationName = keyof typeof delegations;

/** The rights of runs by their origin. */
export const rightsOfRuns: Record<RunOrigin, string> = {
  caller:
    'Those of the credential of the request, also after a delay. A retry has those of its own caller, a bulk retry those of who started it until that token is revoked, a retry by operators those of the retried run.',
  schedule: 'The authority of the schedule, and those of the editor of the graph.',
  incoming_webhook:
    'The authority of the webhook, or of the token of a call with a bearer token, and those of the editor of the graph.',
  node: 'Those of its parent run; if that is deferred, also those of the editor of its own graph. An answered approval or a resumed node changes nothing.',
  tracking: 'None: it is not executed.',
  battle: 'Those of the creator who executes the battle; of other starts the scopes that its answers need.',
  experiment: 'Those of the caller who has started the experiment, until that token is revoked.',
  agent: 'The grants of the AI lenser, as far as the run or caller that it acts for has them.',
  team: 'Those of the owner of the AI lenser, under its policy.',
  thread: 'Those of the AI lenser that was mentioned, under its policy.',
};
