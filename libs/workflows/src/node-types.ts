import {
  InvalidInput,
  type Issue,
  type Shape,
  dateTimeKind,
  findFault,
  flag,
  integer,
  json,
  list,
  oneOf,
  parse,
  record,
  text,
  textKind,
  toValueType,
  uuid,
} from '@lensforge/contracts';
import { badInputs } from '@lensforge/core';
import type { GraphEdge, RetryPolicy } from './graph-shape.js';
import { type ExpressionValue, type LocatedExpression, expressionsIn, isExpressionValue } from './values.js';

const expression = { min: 1, max: 4000 } as const;
const twoWeeksSeconds = 1_209_600;

/** Output: `{text}`. */
export class LensSettings {
  @uuid()
  lensId!: string;

  @text({ min: 1, max: 100, optional: true, description: 'Id, number or label of a version; the newest when absent.' })
  version?: string | undefined;

  @record({ description: 'Values of its parameters; inputs from edges take precedence.' })
  params: Record<string, unknown> = {};

  @text({ min: 1, max: 200, optional: true, description: 'The model, unless the run names one for all nodes.' })
  model?: string;
}

/** Output: the value of the expression. */
export class TransformSettings {
  @text(expression)
  expression!: string;
}

/** Fails the run when its condition is false. Output: true. */
export class AssertSettings {
  @text({ ...expression, description: 'An expression for true or false.' })
  condition!: string;

  @json({ optional: true, description: 'The text of the failure, or an expression.' })
  message?: unknown;
}

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

/** Output: `{status, headers, body}`; a JSON body is parsed. */
export class HttpSettings {
  @oneOf(httpMethods)
  method: (typeof httpMethods)[number] = 'GET';

  @json({ description: 'An http or https URL, or an expression.' })
  url!: unknown;

  @record({ description: 'Strings or expressions.' })
  headers: Record<string, unknown> = {};

  @json({ optional: true, description: 'Sent as JSON; a string is sent as it is.' })
  body?: unknown;

  @flag({ description: 'Treat responses with status 400 or above as output, not as failure.' })
  anyStatus = false;
}

/** Output: a list with the outputs of the graph for each item; null for a failed item. */
export class MapSettings {
  @text({ ...expression, description: 'An expression for a list.' })
  items!: string;

  @integer({ min: 1, max: 20 })
  concurrency = 5;

  @oneOf(['fail', 'continue'])
  onItemError: 'fail' | 'continue' = 'fail';

  @record({ description: 'The graph to execute for each item.' })
  graph!: Graph;
}

export const maxMapItems = 10_000;

/** Output: the outputs of the run. */
export class WorkflowSettings {
  @uuid()
  workflowId!: string;

  @json({ optional: true, description: 'The number or a label of a version; when absent, the one that callers get.' })
  version?: number | string | undefined;

  @record({ description: 'Its inputs; inputs from edges take precedence.' })
  inputs: Record<string, unknown> = {};
}

/** Requires either seconds or until. Output: `{until}`. */
export class DelaySettings {
  @json({ optional: true, description: 'A number, or an expression.' })
  seconds?: unknown;

  @json({ optional: true, description: 'A date and time with its zone, or an expression.' })
  until?: unknown;
}

/** Output: `{decision, by, comment, data}`; decision is approved, rejected or expired. */
export class ApprovalSettings {
  @json({ description: 'The question, or an expression.' })
  message!: unknown;

  @json({ optional: true, description: 'The data to decide on; the approver may change it.' })
  data?: unknown;

  @integer({ min: 1, max: twoWeeksSeconds })
  expiresInSeconds = 86_400;

  @oneOf(['reject', 'approve', 'continue', 'fail'], {
    description: 'continue: decision is expired, for the conditions of its edges.',
  })
  onExpire: 'reject' | 'approve' | 'continue' | 'fail' = 'reject';

  @oneOf(['continue', 'fail'], { description: 'continue: decision is rejected, for the conditions of its edges.' })
  onReject: 'continue' | 'fail' = 'continue';
}

/** Output: `{body}` of the call; null when the wait expired and the run continues. */
export class WebhookWaitSettings {
  @integer({ min: 1, max: twoWeeksSeconds })
  expiresInSeconds = 86_400;

  @oneOf(['fail', 'continue'])
  onExpire: 'fail' | 'continue' = 'fail';
}

const agentName = { min: 3, max: 64 } as const;
const ofAgentName = 'The handle or id of an AI lenser of the account that runs the workflow.';

/** The limits of the agents of a node together, apart from steps, which each agent has for itself. */
export class AgentLimits {
  @json({ description: 'The task, or an expression.' })
  prompt!: unknown;

  @list(textKind({ min: 1, max: 200 }), {
    max: 100,
    optional: true,
    description:
      'The granted tools that can be used here, mcp:<connector> for those of a server; all of them when absent.',
  })
  tools?: string[];

  @integer({ min: 1, max: 50, description: 'The requests to the model of each agent.' })
  maxSteps = 10;

  @integer({ min: 1, max: 128_000, description: 'The tokens of each answer of the model.' })
  maxOutputTokens = 4096;

  @integer({ min: 1, max: 100_000_000, description: 'The tokens of all requests and answers.' })
  maxTokens = 1_000_000;

  @integer({
    min: 0,
    max: 1_000_000_000,
    optional: true,
    description: 'The credits; the budget of the run when absent.',
  })
  maxCredits?: number;

  @integer({ min: 1, max: 86_400, description: 'The seconds of work, without the time that it waits for approvals.' })
  maxSeconds = 600;
}

/** Output: `{text}`, and `json` with an outputSchema. */
export class AgentSettings extends AgentLimits {
  @text({ ...agentName, description: ofAgentName })
  agent!: string;

  @text({ max: 20_000, optional: true, description: 'Added to the instructions of the AI lenser.' })
  instructions?: string;

  @text({ min: 1, max: 200, optional: true, description: 'The model, unless the run names one; by default its own.' })
  model?: string;

  @record({ optional: true, description: 'A JSON Schema for the answer.' })
  outputSchema?: Record<string, unknown>;
}

/** Output: `{winner, text, answers}`; answers has the agent, text and score of each one that answered. */
export class VoteSettings extends AgentLimits {
  @list(textKind(agentName), { min: 2, max: 6, description: 'The handles or ids of AI lensers; each of them answers.' })
  agents!: string[];

  @text({ min: 1, max: 200, optional: true, description: 'The model that judges; the offline judge when absent.' })
  judgeModel?: string;
}

const maxPrompt = 200_000;

const agentRow = {
  expressions: ({ prompt }: AgentLimits) => locateValues(['prompt', prompt]),
  faults: ({ prompt }: AgentLimits) =>
    isExpressionValue(prompt) || (typeof prompt === 'string' && prompt.trim() !== '' && prompt.length <= maxPrompt)
      ? []
      : [{ path: 'prompt', message: `must be a text of 1 to ${maxPrompt} characters, or an expression` }],
};

interface NodeTypeRow<S extends object, K extends keyof S & string = never> {
  readonly settings: Shape<S>;
  /** Optional settings that may be an expression instead of a literal value. */
  readonly computable?: readonly K[];
  /** The expressions in its settings, with their paths. */
  readonly expressions: (settings: S) => LocatedExpression[];
  /** The members of its output; any when absent. */
  readonly output?: readonly string[];
  /** Faults that the field decorators do not find. */
  readonly faults?: (settings: S) => Issue[];
}

const row = <S extends object, const K extends keyof S & string = never>(type: NodeTypeRow<S, K>): NodeTypeRow<S, K> =>
  type;

const messageFaults = (message: unknown): Issue[] =>
  isExpressionValue(message) || (typeof message === 'string' && message.length <= 10_000)
    ? []
    : [{ path: 'message', message: 'must be a text of at most 10000 characters, or an expression' }];

const locateValues = (...values: readonly (readonly [string, unknown])[]): LocatedExpression[] =>
  values.flatMap(([path, value]) => expressionsIn(value, path));

/** The node types; the run worker executes them. */
export const nodeTypes = {
  lens: row({
    settings: LensSettings,
    computable: ['version', 'model'],
    expressions: ({ params }) => locateValues(['params', params]),
    output: ['text', 'json'],
  }),
  transform: row({
    settings: TransformSettings,
    expressions: (settings) => [{ path: 'expression', text: settings.expression }],
  }),
  assert: row({
    settings: AssertSettings,
    expressions: ({ condition, message }) => [
      { path: 'condition', text: condition },
      ...expressionsIn(message, 'message'),
    ],
    faults: ({ message }) => (message === undefined ? [] : messageFaults(message)),
  }),
  http: row({
    settings: HttpSettings,
    computable: ['method', 'anyStatus'],
    expressions: ({ url, headers, body }) => locateValues(['url', url], ['headers', headers], ['body', body]),
    output: ['status', 'headers', 'body'],
    faults: ({ url, headers }) => [
      ...(isExpressionValue(url) || isAddress(url)
        ? []
        : [{ path: 'url', message: 'must be an address with http or https, or an expression' }]),
      ...Object.entries(headers)
        .filter(([name, value]) => !isHeader(name, value))
        .map(([name]) => ({
          path: `headers.${name}`,
          message: 'must be a header: a name and a text, or an expression',
        })),
    ],
  }),
  map: row({ settings: MapSettings, expressions: ({ items }) => [{ path: 'items', text: items }] }),
  workflow: row({
    settings: WorkflowSettings,
    computable: ['version'],
    expressions: ({ inputs }) => locateValues(['inputs', inputs]),
    faults: ({ version }) =>
      version === undefined || isExpressionValue(version) || isVersionName(version)
        ? []
        : [{ path: 'version', message: 'must be the number or a label of a version, or an expression' }],
  }),
  delay: row({
    settings: DelaySettings,
    expressions: ({ seconds, until }) => locateValues(['seconds', seconds], ['until', until]),
    output: ['until'],
    faults: delayFaults,
  }),
  approval: row({
    settings: ApprovalSettings,
    expressions: ({ message, data }) => locateValues(['message', message], ['data', data]),
    output: ['decision', 'by', 'comment', 'data'],
    faults: ({ message }) => messageFaults(message),
  }),
  webhook_wait: row({ settings: WebhookWaitSettings, expressions: () => [], output: ['body'] }),
  agent: row({
    ...agentRow,
    settings: AgentSettings,
    computable: ['instructions', 'model', 'tools'],
    output: ['text', 'json'],
  }),
  vote: row({
    ...agentRow,
    settings: VoteSettings,
    computable: ['judgeModel', 'tools'],
    output: ['winner', 'text', 'answers'],
    faults: (settings) => [
      ...agentRow.faults(settings),
      ...(new Set(settings.agents).size < settings.agents.length
        ? [{ path: 'agents', message: 'must not name an AI lenser twice' }]
        : []),
    ],
  }),
} as const;

export type NodeType = keyof typeof nodeTypes;
export const nodeTypeNames = Object.keys(nodeTypes) as NodeType[];

/** The settings of each node type, as it executes with them. */
export type NodeSettings = { [T in NodeType]: SettingsOf<(typeof nodeTypes)[T]> };

type SettingsOf<R> = R extends NodeTypeRow<infer S, infer _> ? S : never;

/** The settings of each node type in a graph. */
type GraphSettings = { [T in NodeType]: ComputableSettings<(typeof nodeTypes)[T]> };

type ComputableSettings<R> =
  R extends NodeTypeRow<infer S, infer K> ? Omit<S, K> & { [P in K]?: S[P] | ExpressionValue | undefined } : never;

type AnyNodeType = NodeTypeRow<object> & { readonly computable?: readonly string[] };

const getNodeType = ({ type }: Pick<GraphNode, 'type'>): AnyNodeType => nodeTypes[type] as unknown as AnyNodeType;

/** The names of settings of a node type that may be expressions. */
export const listComputable = (type: NodeType): readonly string[] => getNodeType({ type }).computable ?? [];

/** The members of the output of a node type; undefined when it can have any. */
export const listOutputMembers = (type: NodeType): readonly string[] | undefined => getNodeType({ type }).output;

/** The expressions in the settings of a node. */
export function listExpressions({ type, settings }: Pick<GraphNode, 'type' | 'settings'>): LocatedExpression[] {
  const values: Readonly<Record<string, unknown>> = { ...settings };
  const computed = locateValues(...listComputable(type).map((name) => [name, values[name]] as const));
  return [...getNodeType({ type }).expressions(settings), ...computed];
}

export const listOwnFaults = ({ type, settings }: GraphNode): Issue[] => getNodeType({ type }).faults?.(settings) ?? [];

/** The settings with the values of their expressions, which are checked like literal ones; null stands for no value. */
export function resolveSettings({ type, settings }: GraphNode, resolve: (value: unknown) => unknown): object {
  const computed = Object.entries(settings).filter(
    ([name, value]) => isExpressionValue(value) && listComputable(type).includes(name),
  );
  if (computed.length === 0) return settings;
  const values = computed.map(([name, value]) => [name, resolve(value) ?? undefined] as const);
  const known = Object.entries(settings).filter(([name]) => !computed.some(([other]) => other === name));
  const given = Object.fromEntries([...known, ...values.filter(([, value]) => value !== undefined)]);
  try {
    return parse(getNodeType({ type }).settings, given, { skipJsonRules: true });
  } catch (reason) {
    if (!(reason instanceof InvalidInput)) throw reason;
    throw badInputs(reason.issues.map(({ path, message }) => ({ path: `settings.${path}`, message })));
  }
}

/** A setting as far as it is known before the run. */
export const getLiteral = <T>(value: T | ExpressionValue): T | undefined =>
  isExpressionValue(value) ? undefined : value;

function isAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

function isHeader(name: string, value: unknown): boolean {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/.test(name)) return false;
  return isExpressionValue(value) || (typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]{0,4000}$/.test(value));
}

const isVersionName = (version: unknown): boolean =>
  typeof version === 'string'
    ? /^[a-z][a-z0-9._-]{0,63}$/.test(version)
    : Number.isSafeInteger(version) && (version as number) >= 1;

const pointInTime = toValueType(dateTimeKind());

function delayFaults({ seconds, until }: DelaySettings): Issue[] {
  if ((seconds === undefined) === (until === undefined)) {
    return [{ path: '', message: 'must have either seconds or until' }];
  }
  if (seconds !== undefined) {
    const fits =
      isExpressionValue(seconds) || (typeof seconds === 'number' && seconds >= 0 && seconds <= twoWeeksSeconds);
    return fits
      ? []
      : [{ path: 'seconds', message: `must be a number from 0 to ${twoWeeksSeconds}, or an expression` }];
  }
  const fault = isExpressionValue(until) ? undefined : findFault(pointInTime, until, 'until');
  return fault ? [fault] : [];
}

interface NodeOf<T extends NodeType> {
  id: string;
  type: T;
  settings: GraphSettings[T];
  title?: string | undefined;
  onError: 'fail' | 'continue';
  retry?: RetryPolicy | undefined;
  timeoutSeconds?: number | undefined;
}

export type GraphNode = { [T in NodeType]: NodeOf<T> }[NodeType];

/** A graph that `readGraph` has validated. */
export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  inputs?: Record<string, unknown> | undefined;
  outputs?: Record<string, string> | undefined;
}
