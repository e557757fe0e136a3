import { type Endpoint, asksForCredential } from '../catalogue/endpoint.js';
import { endpoints } from '../catalogue/endpoints.js';
import { jsonSchema } from '../schema/json-schema.js';
import { eventSchemas, streamContent, webhooks } from './event-schemas.js';
import { type Json, jsonBody, ref } from './json.js';
import { envelopeSchemas, failureResponses, failures, headers, rateHeaders } from './responses.js';
import { toTag, tags } from './tags.js';
import { listFields, type JsonSchema, type Shape } from '../schema/rules.js';

const lineBody = (line: Json): Json => ({ 'application/x-ndjson': { schema: line } });
const fileBody = (types: readonly string[]): Json => Object.fromEntries(types.map((type) => [type, { schema: {} }]));

const enveloped = (data: Json): Json => ({
  type: 'object',
  properties: { data, meta: ref('schemas', 'ApiMeta'), error: { type: 'null' } },
  required: ['data', 'meta', 'error'],
});

const inside = (replies: Endpoint['replies'], reply: Json): Json => {
  if (replies === 'plain' || replies === 'lines') return reply;
  return enveloped(replies === 'list' ? { type: 'array', items: reply } : reply);
};

const parametersIn = (place: 'path' | 'query', shape: Shape | undefined): Json[] => {
  if (!shape) return [];
  const { properties, required = [] } = jsonSchema(shape) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return [...listFields(shape)].map(([name, { description }]) => {
    const { description: _, ...schema } = properties[name] ?? {};
    return { name, in: place, required: required.includes(name), ...(description && { description }), schema };
  });
};

const lastEventId: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The id of the last frame that was seen; the stream goes on after it. Beyond the end of what has not ended: with the next event.',
  schema: { type: 'string' },
};

const successes = ({ path, status, reply, replies, rate, fileTypes }: Endpoint): Json => {
  if (replies === 'event-stream') {
    const content = streamContent(path);
    return {
      [status]: { description: 'One frame for each event, then `event: done`. See docs/events.md.', content },
      204: { description: 'Nothing follows the `done` frame that Last-Event-ID names.' },
    };
  }
  const schema = reply && inside(replies, ref('schemas', reply.name));
  return {
    [status]: {
      description: status === 202 ? 'Accepted.' : 'Done.',
      ...(rate !== 'none' && { headers: rateHeaders }),
      ...(fileTypes && { content: fileBody(fileTypes) }),
      ...(schema && { content: replies === 'lines' ? lineBody(schema) : jsonBody(schema) }),
    },
  };
};

const errorResponse = ({ replies, reply }: Endpoint, status: number): Json => {
  const failure = failures[status];
  if (!failure) throw new Error(`the status ${status} has no description in the OpenAPI generator`);
  if (replies === 'plain' && reply) {
    return { description: failure.description, content: jsonBody(ref('schemas', reply.name)) };
  }
  return ref('responses', failure.name);
};

/** Any one of the scopes is sufficient; where the use case authorises, a bearer token is one of several ways. */
const toSecurity = (row: Endpoint): Json[] =>
  row.rawBody
    ? [{}, ...(row.headers ? [{ bearer: ['workflows:write'] }] : [])]
    : row.scopes.length === 0 && asksForCredential(row)
      ? [{ bearer: [] }]
      : row.scopes.map((scope) => ({ bearer: [scope] }));

const perMinute: Readonly<Record<string, string>> = {
  none: 'The request is not counted.',
  incoming: 'Calls are counted for each webhook or network, in the rate class incoming.',
};

/** The description of a row, with the scopes and the rate class in words for readers of a rendering. */
const describe = ({ description, scopes, rate, rateWith = {} }: Endpoint): string => {
  const others = Object.entries(rateWith).map(([name, other]) => `, with ${name} ${other}`);
  return [
    description,
    ...(scopes.length > 0 ? [`Scope: ${scopes.join(' or ')}.`] : []),
    perMinute[rate] ?? `Rate class: ${rate}${others.join('')}.`,
  ].join('\n\n');
};

/** A raw body without a shape is any JSON. */
const toRequestBody = ({ body, rawBody, example }: Endpoint): Json => {
  if (body) {
    const content = jsonBody(ref('schemas', body.name), example);
    return { requestBody: { required: 'required' in jsonSchema(body), content } };
  }
  return rawBody ? { requestBody: { required: false, content: jsonBody({}) } } : {};
};

const operation = (row: Endpoint): Json => {
  const parameters = [
    ...parametersIn('path', row.params),
    ...parametersIn('query', row.query),
    ...(row.replies === 'event-stream' ? [lastEventId] : []),
    ...Object.entries(row.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
  return {
    operationId: row.id,
    tags: [toTag(row)],
    summary: row.summary,
    description: describe(row),
    ...(parameters.length > 0 && { parameters }),
    ...toRequestBody(row),
    responses: {
      ...successes(row),
      ...Object.fromEntries(row.errors.map((status) => [status, errorResponse(row, status)])),
    },
    security: toSecurity(row),
    'x-rate-class': row.rate,
    ...(row.rateWith && { 'x-rate-class-with': row.rateWith }),
  };
};

/** The OpenAPI 3.1 document of a table of endpoints. */
export function openApi(rows: readonly Endpoint[] = Object.values(endpoints)): Json {
  const paths: Record<string, Json> = {};
  for (const row of rows) paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row) };
  const shapes = rows.flatMap(({ body, reply }) => [body, reply]).filter((shape) => shape !== undefined);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lensforge Platform Execution API',
      version: '0.2.0',
      description:
        'Runs prompts and AI workflows for other programs. Send a token as `Authorization: Bearer`. Replies are in the envelope `{data, meta, error}`; `meta.requestId` identifies a request. Lists are read in pages with `limit` and `cursor`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:4000', description: 'npm start' }],
    tags,
    paths,
    webhooks: webhooks(),
    components: {
      schemas: {
        ...envelopeSchemas,
        ...eventSchemas(),
        ...Object.fromEntries(shapes.map((shape) => [shape.name, jsonSchema(shape)])),
      },
      responses: failureResponses,
      headers,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
