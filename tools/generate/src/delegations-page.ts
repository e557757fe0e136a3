import { type DelegationSituation, delegationSituations, delegations, rightsOfRuns } from '@lensforge/contracts';
import { code, table } from './markdown.js';

const situations = Object.keys(delegationSituations) as DelegationSituation[];

/** docs/delegations.md */
export const delegationsPage = (): string => `# What acts later

<!-- Written by \`npm run generate\` from libs/contracts. -->

What a person sets up to act later has no more rights than that person had. An incoming webhook, a schedule or a rule of evaluation stores its authority: the person, the
kind of credential, the scopes and the credit limit. \`GET\` shows it as \`authority\`. Its runs have the scopes that both the authority and the editor of
the newest graph have, and count against the credit limit of the token. The judges of a rule have the scopes of its authority. See [ADR 29](adr/0029-deferred-starts-intersect-authorities.md).

${table(
  ['', ...situations.map((situation) => delegationSituations[situation])],
  Object.values(delegations).map(({ title, outcomes }) => [title, ...situations.map((each) => outcomes[each])]),
)}

- **acts**: it continues. **stopped**: it does nothing until a take-over. **narrowed**: its runs and their agents have the scopes of the token.
  **counted**: its runs count against the limit of the token. **refused**: such a token cannot set it up.
- Removed and demoted are administrators of a community who set it up there, by a token of the community. The transaction that ends the role suspends it:
  \`suspendedReason\` says why, the audit log of the community has an entry, and its owners and admins get an e-mail if the dispatcher has a mail server. A call of a suspended
  webhook gets 401, a suspended schedule is paused, an endpoint is disabled, and a rule evaluates nothing. Closing an account does the same.
- \`POST …/take-over\` of an incoming webhook, schedule, rule of evaluation or webhook endpoint stores the authority of its caller and ends the suspension. Secrets are replaced, and the new
  one is shown once. A connector gets a new token with \`POST …/rotate\`. The command line has \`incoming take-over\`, \`schedules take-over\` and \`webhooks take-over\`,
  the console a button where these objects are listed, for your own. Owners and admins of a community take its objects over with a token of the community:
  \`LENSFORGE_API_KEY=lf_org_… lensforge incoming take-over <id>\`.
- A credential with fewer rights that changes the workflow or the secret of a webhook, the pattern or inputs of a schedule, or a rule of evaluation, reduces the authority to what it has itself.
- The newest credit limit of the token counts. A token that expires ends no schedule, rule or webhook; revoking the token does.
- If trigger and graph come from tokens with different credit limits, no run is started: take the trigger over, and save the graph again, with one credential.
- MCP servers and BYOK keys belong to persons only, and end with their account.

## Rights of runs

${table(
  ['Origin', 'Rights'],
  Object.entries(rightsOfRuns).map(([origin, rights]) => [code(origin), rights]),
)}

A run whose cause names no scopes gives its agents none.
`;
