import { restErrorCodes } from '../catalogue/error-codes.js';
import { errorDetails } from '../catalogue/error-details.js';
import { jsonSchema } from '../schema/json-schema.js';
import { type Json, jsonBody, ref } from './json.js';

/** The error responses by status. */
export const failures: Record<number, { name: string; description: string; headers?: Json }> = {
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
  404: { name: 'NotFound', description: 'There is nothing with this id or path that the caller can see.' },
  409: {
    name: 'Conflict',
    description: 'The state of the resource does not allow it; details.status has the state, if known.',
  },
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

export const failureResponses = Object.fromEntries(
  Object.values(failures).map(({ name, description, headers }) => [
    name,
    {
      description,
      headers: { Link: ref('headers', 'Link'), ...headers },
      content: jsonBody(ref('schemas', 'ErrorEnvelope')),
    },
  ]),
);

export const rateHeaders = {
  'RateLimit-Limit': ref('headers', 'RateLimit-Limit'),
  'RateLimit-Remaining': ref('headers', 'RateLimit-Remaining'),
  'RateLimit-Reset': ref('headers', 'RateLimit-Reset'),
};

const integerHeader = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } });

export const headers = {
  'Retry-After': integerHeader('Seconds to wait before the next try.'),
  'RateLimit-Limit': integerHeader('Requests a minute in the rate class of the operation, for the account.'),
  'RateLimit-Remaining': integerHeader('Requests left in this window.'),
  'RateLimit-Reset': integerHeader('Seconds until the window is full again.'),
  Link: { description: 'Where the code of the error is described (`rel="help"`).', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'Why the credential was refused (RFC 6750).', schema: { type: 'string' } },
};

const shapesOfDetails = Object.entries(errorDetails).flatMap(([code, shape]) => (shape ? [{ code, shape }] : []));
const details: Json = {
  description: `By code: ${shapesOfDetails.map(({ code, shape }) => `${code}: ${shape.name}`).join('; ')}. Other codes have none.`,
  anyOf: shapesOfDetails.map(({ shape }) => ref('schemas', shape.name)),
};

export const envelopeSchemas: Json = {
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
