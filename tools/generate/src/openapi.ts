import type { Endpoint, JsonSchema, Shape } from '@lensforge/contracts';
import { asksForCredential, endpoints, errorDetails, fieldsOf, jsonSchema, restErrorCodes } from '@lensforge/contracts';

type Json = Record<string, unknown>;

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
const jsonBody = (schema: Json): Json => ({ 'application/json': { schema } });
const lineBody = (line: Json): Json => ({ 'application/x-ndjson': { schema: line } });

const failures: Record<number, { name: string; description: string; headers?: Json }> = {
  400: { name: 'InvalidRequest', description: 'The request is not valid; details.issues names each fault.' },
  401: {
    name: 'Unauthorized',
    description: 'The bearer token is missing or not valid.',
    headers: { 'WWW-Authenticate': ref('headers', 'WWW-Authenticate') },
  },
  403: {
    name: 'Forbidden',
    description: 'The credential lacks the scope or the right.',
    headers: { 'WWW-Authenticate': ref('headers', 'WWW-Authenticate') },
  },
  404: { name: 'NotFound', description: 'There is no such thing that the caller can reach.' },
  409: { name: 'Conflict', description: 'The state of the thing does not allow it.' },
  413: { name: 'PayloadTooLarge', description: 'The body exceeds the limit.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not application/json.' },
  422: { name: 'Unprocessable', description: 'The members do not fit what the target expects.' },
  429: {
    name: 'RateLimited',
    description: 'Too many requests; wait for Retry-After.',
    headers: { 'Retry-After': ref('headers', 'Retry-After') },
  },
  500: { name: 'InternalError', description: 'An unexpected fault; the request id finds it in the logs.' },
  503: {
    name: 'Unavailable',
    description: 'The service cannot do its work at the moment.',
    headers: { 'Retry-After': ref('headers', 'Retry-After') },
  },
};

const failureResponses = Object.fromEntries(
  Object.values(failures).map(({ name, description, headers }) => [
    name,
    { description, ...(headers && { headers }), content: jsonBody(ref('schemas', 'ErrorEnvelope')) },
  ]),
);

const rateHeaders = {
  'RateLimit-Limit': ref('headers', 'RateLimit-Limit'),
  'RateLimit-Remaining': ref('headers', 'RateLimit-Remaining'),
  'RateLimit-Reset': ref('headers', 'RateLimit-Reset'),
};

const integerHeader = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } });

const headers = {
  'Retry-After': integerHeader('Seconds to wait before the next try.'),
  'RateLimit-Limit': integerHeader('Requests a minute in the rate class of the operation, for the account.'),
  'RateLimit-Remaining': integerHeader('Requests left in this window.'),
  'RateLimit-Reset': integerHeader('Seconds until the window is full again.'),
  'WWW-Authenticate': { description: 'Why the credential did not do (RFC 6750).', schema: { type: 'string' } },
};

const shapesOfDetails = Object.entries(errorDetails).flatMap(([code, shape]) => (shape ? [{ code, shape }] : []));
const details: Json = {
  description: `By code: ${shapesOfDetails.map(({ code, shape }) => `${code}: ${shape.name}`).join('; ')}. Other codes have none.`,
  anyOf: shapesOfDetails.map(({ shape }) => ref('schemas', shape.name)),
};

const envelopeSchemas: Json = {
  ...Object.fromEntries(shapesOfDetails.map(({ shape }) => [shape.name, jsonSchema(shape)])),
  ApiMeta: {
    type: 'object',
    properties: {
      requestId: { type: 'string' },
      durationMs: { type: 'integer' },
      limit: { type: 'integer' },
      offset: { type: 'integer' },
      total: { type: 'integer' },
      hasNextPage: { type: 'boolean' },
      nextCursor: { type: 'string' },
    },
  },
  ApiError: {
    type: 'object',
    properties: {
      code: { type: 'string', enum: [...restErrorCodes] },
      message: { type: 'string' },
      details,
    },
    required: ['code', 'message'],
  },
  ErrorEnvelope: {
    type: 'object',
    properties: { error: ref('schemas', 'ApiError'), meta: ref('schemas', 'ApiMeta') },
    required: ['error', 'meta'],
  },
};

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
  return [...fieldsOf(shape)].map(([name, { description }]) => {
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

const successes = ({ status, reply, replies, rate }: Endpoint): Json => {
  if (replies === 'event-stream') {
    const frames = { 'text/event-stream': { schema: { type: 'string' } } };
    return {
      [status]: { description: 'One frame for each event, then `event: done`. See docs/events.md.', content: frames },
      204: { description: 'Nothing follows the `done` frame that Last-Event-ID names.' },
    };
  }
  const schema = reply && inside(replies, ref('schemas', reply.name));
  return {
    [status]: {
      description: status === 202 ? 'Accepted.' : 'Done.',
      ...(rate !== 'none' && { headers: rateHeaders }),
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
const securityOf = (row: Endpoint): Json[] =>
  row.rawBody
    ? [{}, { bearer: ['workflows:write'] }]
    : row.scopes.length === 0 && asksForCredential(row)
      ? [{ bearer: [] }]
      : row.scopes.map((scope) => ({ bearer: [scope] }));

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
    summary: row.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && {
      requestBody: { required: 'required' in jsonSchema(row.body), content: jsonBody(ref('schemas', row.body.name)) },
    }),
    responses: {
      ...successes(row),
      ...Object.fromEntries(row.errors.map((status) => [status, errorResponse(row, status)])),
    },
    security: securityOf(row),
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
      description: 'Runs prompts and AI workflows for other programs.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:4000', description: 'npm start' }],
    paths,
    components: {
      schemas: { ...envelopeSchemas, ...Object.fromEntries(shapes.map((shape) => [shape.name, jsonSchema(shape)])) },
      responses: failureResponses,
      headers,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
