import {
  type Endpoint,
  type Shape,
  agentEvents,
  battleEvents,
  experimentEvents,
  developerScopes,
  endpoints,
  errorDetails,
  listFields,
  platformEvents,
  runEvents,
  scopeDescriptions,
  scopes,
  threadEvents,
} from '@lensforge/contracts';
import { toInterfaceName, toMemberName, toMethodName } from './sdk-names.js';
import { isAllOptional, shapeInterfaces } from './sdk-shapes.js';

const rows = Object.values<Endpoint>(endpoints);
const notice = '// Written by `npm run generate` from the endpoint table of libs/contracts.\n';

export type Events = Readonly<Record<string, Shape>>;
export const logs: Readonly<Record<string, Events>> = {
  RunEventPayloads: runEvents,
  BattleEventPayloads: battleEvents,
  ExperimentEventPayloads: experimentEvents,
  AgentEventPayloads: agentEvents,
  ThreadEventPayloads: threadEvents,
  WebhookEventData: platformEvents,
};

const writeMap = (name: string, shapes: Readonly<Record<string, Shape | undefined>>): string =>
  `export interface ${name} {\n${Object.entries(shapes)
    .map(([key, shape]) => `${JSON.stringify(key)}: ${shape?.name ?? 'undefined'};`)
    .join('\n')}\n}`;

/** The classes of payloads and of details of errors. */
export const otherShapes: readonly Shape[] = [
  ...Object.values(logs).flatMap((events) => Object.values(events)),
  ...Object.values(errorDetails).filter((shape) => shape !== undefined),
];

/** libs/sdk/src/generated/shapes.ts */
export function sdkShapes(): string {
  const maps = Object.entries(logs).map(([name, events]) => writeMap(name, events));
  return [notice, ...shapeInterfaces(otherShapes), ...maps, writeMap('ErrorDetails', errorDetails)].join('\n\n');
}

export const streamEvents: Readonly<Record<string, string>> = {
  '/v1/runs/{runId}/events': 'RunEvent',
  '/v1/run-events': 'RunEvent',
  '/v1/battles/{battleId}/events': 'BattleEvent',
  '/v1/experiments/{experimentId}/events': 'ExperimentEvent',
  '/v1/agents/{aiLenserId}/events': 'AgentEvent',
  '/v1/threads/{threadId}/events': 'ThreadEvent',
};

/** The class or type of the member that a call takes besides the ids of its path. */
export function describeInput({
  id,
  body,
  query,
  rawBody,
}: Endpoint): { name: string; type: string; optional: boolean } | undefined {
  if (body && query) throw new Error(`${id} has a body and a query; a method of the SDK has one of them`);
  const shape = body ?? query;
  if (shape) return { name: body ? 'body' : 'query', type: shape.name, optional: isAllOptional(shape) };
  return rawBody ? { name: 'body', type: 'unknown', optional: false } : undefined;
}

function writeResult({ path, replies, reply }: Endpoint): string {
  if (replies === 'event-stream') return `EventStream<${streamEvents[path] ?? 'never'}>`;
  if (replies === 'lines') return `LineStream<${reply?.name ?? 'unknown'}>`;
  if (replies === 'list') return `ListCall<${reply?.name ?? 'unknown'}>`;
  return `Call<${reply?.name ?? 'Response'}>`;
}

export const listParameters = ({ path }: Endpoint): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function writeSignature(row: Endpoint): string {
  const input = describeInput(row);
  const options = row.replies === 'event-stream' ? 'StreamOptions' : 'CallOptions';
  const parameters = [
    ...listParameters(row).map((name) => `${name}: string`),
    ...(input ? [`${input.name}${input.optional ? '?' : ''}: ${input.type}`] : []),
    `options?: ${options}`,
  ];
  const text = `${row.summary}. ${row.description}`.replaceAll('*/', '* /');
  return `/** ${text} */\n${toMethodName(row)}(${parameters.join(', ')}): ${writeResult(row)};`;
}

export const byMember = (): Map<string, Endpoint[]> => {
  const groups = new Map<string, Endpoint[]>();
  for (const row of rows) groups.set(toMemberName(row), [...(groups.get(toMemberName(row)) ?? []), row]);
  for (const [member, group] of groups) {
    const methods = group.map(toMethodName);
    const twice = methods.find((method, at) => methods.indexOf(method) !== at);
    if (twice !== undefined) throw new Error(`client.${member}.${twice} is two endpoints: name one in sdk-names.ts`);
  }
  return groups;
};

/** libs/sdk/src/generated/resources.ts */
export function sdkResources(): string {
  const groups = byMember();
  const interfaces = [...groups].map(
    ([member, group]) => `export interface ${toInterfaceName(member)} {\n${group.map(writeSignature).join('\n\n')}\n}`,
  );
  const members = [...groups.keys()].map((member) => `readonly ${member}: ${toInterfaceName(member)};`);
  const all = [...interfaces, `export interface Resources {\n${members.join('\n')}\n}`].join('\n\n');
  const used = (names: Iterable<string>): string[] =>
    [...new Set(names)].filter((name) => new RegExp(`\\b${name}\\b`).test(all)).sort();
  const shapes = used(
    rows.flatMap(({ body, query, reply }) => [body, query, reply]).flatMap((shape) => (shape ? [shape.name] : [])),
  );
  return [
    notice,
    `import type { Call, CallOptions } from '../call.js';`,
    `import type { EventStream, StreamOptions } from '../event-stream.js';`,
    `import type { ${used(Object.values(streamEvents)).join(', ')} } from '../events.js';`,
    `import type { LineStream } from '../line-stream.js';`,
    `import type { ListCall } from '../pages.js';`,
    `import type { ${shapes.join(', ')} } from './shapes.js';\n`,
    all,
  ].join('\n');
}

const replyFlags: Readonly<Record<Endpoint['replies'], string>> = {
  envelope: 'e',
  list: 'l',
  plain: 'p',
  lines: 'n',
  'event-stream': 's',
};

/** The place of the idempotency key in a call, if its endpoint takes one or needs none. */
export function keyFlag({ body, headers, repeatable }: Endpoint): string {
  if (repeatable) return 'r';
  if (headers && 'Idempotency-Key' in headers) return 'h';
  if (!body) return '';
  if (listFields(body).has('idempotencyKey')) return 'k';
  return listFields(body).get('items')?.type.item && body.name === 'LensBatchRequest' ? 'b' : '';
}

/** Reply, input and key as letters, then method and path. */
const writeOperation = (row: Endpoint): string => {
  const reply = row.fileTypes ? 'f' : replyFlags[row.replies];
  return `${reply}${describeInput(row) ? 'i' : ''}${keyFlag(row)} ${row.method} ${row.path}`;
};

/** libs/sdk/src/generated/operations.ts */
export function sdkOperations(): string {
  const groups = [...byMember()].map(([member, group]) => {
    const methods = group.map((row) => `${toMethodName(row)}: ${JSON.stringify(writeOperation(row))},`);
    return `${member}: {\n${methods.join('\n')}\n},`;
  });
  return `${notice}
/**
 * The operations by resource and method: letters, HTTP method and path. The first letter is the reply: e envelope, l list,
 * p plain, n lines, s event stream, f file. Then i: it takes a body or query; k, b, h: the idempotency key is in the body, in each
 * item of the body, in a header; r: it needs none.
 */
export const operations = {\n${groups.join('\n')}\n} as const;`;
}

/** libs/sdk/src/generated/scopes.ts */
export const sdkScopes = (): string => `${notice}
/** The scopes of tokens: their abilities in words, and whether a developer token can have them. */
export const scopes = ${JSON.stringify(
  scopes.map((name) => ({
    name,
    description: scopeDescriptions[name],
    forDevelopers: developerScopes.includes(name),
  })),
)} as const;`;
