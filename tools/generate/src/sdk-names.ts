import { type Endpoint, toTag } from '@lensforge/contracts';

/** The words of a resource that the ids of its endpoints repeat. */
const nouns: Readonly<Record<string, RegExp>> = {
  Me: /Me$/,
  Tokens: /Token$|Tokens$/,
  Connectors: /Connectors?/,
  Lenses: /Lens(es)?/,
  Datasets: /Datasets?/,
  Experiments: /Experiments?/,
  Scorers: /Scorers?/,
  Recordings: /Recordings?/,
  'Review queues': /ReviewQueues?|Review(?=Items|Agreement)/,
  'Evaluation rules': /EvaluationRules?/,
  'Label proposals': /LabelProposals?/,
  Workflows: /Workflows?/,
  Schedules: /Schedules?/,
  Runs: /Runs?(?!Operation)/,
  'Run operations': /RunOperation/,
  Waits: /Wait/,
  'Local runs': /LocalRun/,
  Models: /Models/,
  Credits: /Credits/,
  'BYOK keys': /ByokKeys?/,
  Battles: /Battles?/,
  Leaderboards: /Leaderboard/,
  Agents: /AiLensers?|Agent/,
  Threads: /Threads?/,
  Communities: /Community|Communities/,
  Audit: /Audit/,
  'Webhook endpoints': /WebhookEndpoints?|Webhook/,
  'Incoming webhooks': /IncomingWebhooks?|Incoming/,
  Operator: /Operator/,
  Partners: /Partner/,
};

/** Methods whose name does not follow from the id. */
const named: Readonly<Record<string, string>> = {
  getApiDescription: 'openapi',
  listOwnSchedules: 'list',
  revokeTokens: 'revokeAll',
  streamRunEvents: 'events',
  streamGroupEvents: 'groupEvents',
  streamBattleEvents: 'events',
  streamExperimentEvents: 'events',
  streamAgentEvents: 'events',
  streamThreadEvents: 'events',
};

const camelCase = (words: string): string =>
  words.toLowerCase().replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());

/** The member of the client that has the methods of a resource, such as `webhookEndpoints`. */
export const toMemberName = (row: Endpoint): string => camelCase(toTag(row));

/** The interface of these methods, such as `WebhookEndpointMethods`. */
export const toInterfaceName = (member: string): string => `${member.charAt(0).toUpperCase()}${member.slice(1)}Methods`;

/** The method of an endpoint: its id without the words of its resource, such as `execute` for executeLens. */
export function toMethodName(row: Endpoint): string {
  const noun = nouns[toTag(row)];
  return named[row.id] ?? (noun ? row.id.replace(noun, '') : row.id);
}
