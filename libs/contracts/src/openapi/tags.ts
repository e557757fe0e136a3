import type { Endpoint } from '../catalogue/endpoint.js';

/** The resources of the API: a name, the first segments of its paths, and a description. */
const resources = [
  ['Service', ['health', 'openapi.json'], 'The state of the service and the description of its API.'],
  ['Me', ['me'], 'The account and the credential of the caller.'],
  ['Tokens', ['tokens'], 'Developer, organisation and service tokens. docs/identity.md describes how they are issued.'],
  ['Connectors', ['connectors'], 'External programs with a service token of their own.'],
  ['Lenses', ['lenses'], 'Versioned prompt templates: editing, versions, labels, execution and sponsorship.'],
  ['Scorers', ['scorers'], 'Rules that score outputs, in versions.'],
  ['Recordings', ['recordings'], 'Calls of runs to the outside, with their answers.'],
  ['Datasets', ['datasets'], 'Named cases to try lenses and workflows with, in revisions.'],
  ['Experiments', ['experiments'], 'Cases answered by several versions, with scores, statistics and a gate.'],
  ['Evaluation rules', ['evaluation-rules'], 'Scores for a share of the runs of a lens or workflow.'],
  ['Review queues', ['review-queues'], 'Answers that people score, blind to where they come from.'],
  ['Label proposals', ['label-proposals'], 'Moves of labels that wait for a second person.'],
  ['Workflows', ['workflows'], 'Graphs of nodes: editing, versions, dry runs and runs.'],
  ['Schedules', ['schedules'], 'Runs of workflows at times of a cron pattern.'],
  [
    'Runs',
    ['runs', 'run-events', 'run-statistics', 'release-statistics', 'score-statistics', 'approvals'],
    'Accepted executions: status, events, artifacts, scores, nodes, approvals, cancel and retry.',
  ],
  ['Run operations', ['run-operations'], 'A cancel or retry of many runs.'],
  ['Waits', ['waits'], 'Callback URLs of workflow nodes that wait for a call.'],
  ['Local runs', ['local-runs'], 'Runs that a program on the machine of the user executes.'],
  ['Models', ['models'], 'The models that runs can use.'],
  ['Credits', ['credits'], 'The balance of an account and its entries.'],
  ['BYOK keys', ['byok-keys'], "A user's own keys of providers."],
  ['Battles', ['battles'], 'Tasks for several contenders, whose answers are compared without their names.'],
  ['Leaderboards', ['leaderboards'], 'Ratings from the votes and verdicts of battles.'],
  ['Agents', ['agents', 'agent-approvals'], 'AI lensers: their grants, actions, approvals and team runs.'],
  ['MCP servers', ['mcp-servers'], 'External servers whose tools AI lensers can be granted.'],
  ['Threads', ['threads'], 'Conversations: messages, moderation and answers of AI lensers.'],
  ['Communities', ['communities'], 'Accounts with members: roles, invites and joining.'],
  ['Audit', ['audit'], 'The audit log of an account.'],
  [
    'Webhook endpoints',
    ['webhook-endpoints', 'webhook-events'],
    'Outgoing webhooks: deliveries, redelivery and replay.',
  ],
  ['Incoming webhooks', ['incoming-webhooks', 'webhooks'], 'URLs that start a workflow when they are called.'],
  ['Operator', ['operator'], 'Queues, workers and invariants of the whole installation, for its operators.'],
  ['Partners', ['partners'], 'The accounts of callers with the registered partner.'],
] as const;

const nameBySegment = new Map<string, string>(
  resources.flatMap(([name, segments]) => segments.map((segment) => [segment, name] as const)),
);

/** The tags of the document, in its order. */
export const tags = resources.map(([name, , description]) => ({ name, description }));

/** The resource of an endpoint. A sponsorship is a sub-resource of its lens. */
export function toTag({ path }: Pick<Endpoint, 'path'>): string {
  const segment = path.replace(/^\/v1/, '').split('/')[1] ?? '';
  const name = nameBySegment.get(segment);
  if (name === undefined) throw new Error(`${path} belongs to no resource: add its first segment to openapi/tags.ts`);
  return name;
}
