import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Pair, type YAMLMap, isMap, isPair, isScalar, isSeq, parseDocument } from 'yaml';

type Schema = Readonly<Record<string, unknown>>;

const services = ['apiGateway', 'mcpGateway', 'oauth', 'runWorker', 'webhookDispatcher'];
const setting = { type: ['string', 'integer', 'boolean'] };
const settings: Schema = {
  type: 'object',
  propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$' },
  additionalProperties: setting,
};
const texts: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const closed = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  additionalProperties: false,
});
const toProperties = (names: readonly string[], schema: Schema): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, schema]));
const quantities = closed(toProperties(['cpu', 'memory', 'ephemeral-storage'], { type: ['string', 'number'] }));
const cidr = String.raw`^[0-9a-fA-F.:]+/\d{1,3}$`;

/** Rules that the defaults do not tell, by the end of a path. */
const exact: Readonly<Record<string, Schema>> = {
  'hosts.api': { type: 'string', format: 'hostname', minLength: 1 },
  'hosts.mcp': { type: 'string', format: 'hostname', minLength: 1 },
  'hosts.id': { type: 'string', format: 'hostname', minLength: 1 },
  'image.digests': {
    type: 'object',
    propertyNames: {
      enum: ['api-gateway', 'mcp-gateway', 'oauth', 'operate', 'run-worker', 'webhook-dispatcher'],
    },
    additionalProperties: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
  },
  'image.pullPolicy': { enum: ['', 'Always', 'IfNotPresent', 'Never'] },
  'image.pullSecrets': { type: 'array', items: { type: 'string' } },
  settings,
  resources: closed({ requests: quantities, limits: quantities }),
  replicas: { type: 'integer', minimum: 1 },
  maxReplicas: { type: 'integer', minimum: 1 },
  fallbackReplicas: { type: 'integer', minimum: 1 },
  port: { type: 'integer', minimum: 1, maximum: 65535 },
  cidr: { type: 'string', pattern: cidr },
  smtpCidr: { type: 'string', pattern: `^$|${cidr}` },
  'secrets.scaler': closed(toProperties(['connection', 'address', 'username', 'password'], { type: 'string' })),
  'secrets.more': closed(toProperties([...services, 'migrate'], settings)),
};

const readKey = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : '');

/** The comment above a value; that above the first value of a map stands at the map. */
function readComment(map: YAMLMap, pair: Pair): string | undefined {
  const own = isScalar(pair.key) ? pair.key.commentBefore : undefined;
  const text = own ?? (map.items[0] === pair ? map.commentBefore : undefined);
  const paragraph = text?.split('\n\n').at(-1);
  return paragraph?.replaceAll(/\s*\n\s*/g, ' ').trim();
}

function toSchema(value: unknown, path: string): Schema {
  const end = Object.keys(exact).find((each) => path === each || path.endsWith(`.${each}`));
  if (end !== undefined) return exact[end] as Schema;
  if (isMap(value)) {
    if (value.items.length === 0) return texts;
    const entries = value.items.filter((each) => isPair(each)).map((pair) => describePair(value, pair, path));
    return closed(Object.fromEntries(entries));
  }
  if (isSeq(value)) return { type: 'array', items: { type: 'object' } };
  const plain = isScalar(value) ? value.value : undefined;
  return typeof plain === 'number' ? { type: 'integer', minimum: 0 } : { type: typeof plain };
}

function describePair(map: YAMLMap, pair: Pair, path: string): [string, Schema] {
  const name = readKey(pair);
  const description = readComment(map, pair);
  const schema = toSchema(pair.value, path === '' ? name : `${path}.${name}`);
  return [name, description === undefined ? schema : { description, ...schema }];
}

/** The JSON Schema of the values of the Helm chart, from its documented defaults. */
export function chartSchema(root: string): Schema {
  const { contents } = parseDocument(readFileSync(join(root, 'charts/lensforge/values.yaml'), 'utf8'));
  const { type, properties } = toSchema(contents, '');
  const global = { description: 'Values of a chart that has this one in it.', type: 'object' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart lensforge',
    type,
    properties: { ...(properties as object), global },
    additionalProperties: false,
  };
}
