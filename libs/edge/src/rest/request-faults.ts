import type { FastifyRequest } from 'fastify';
import { isError } from './is-error.js';
import { NotJson } from './json-text.js';
import { HttpFault, invalid, restFault } from './rest-errors.js';

/** Translates an error of a request: one of Fastify by its code, and every other by `restFault`. */
export const toHttpFault = (error: unknown, request: FastifyRequest): HttpFault =>
  requestFault(error, request) ?? restFault(error);

/** A fault that Fastify found before the use case; undefined for every other error. */
function requestFault(error: unknown, request: FastifyRequest): HttpFault | undefined {
  if (error instanceof NotJson) return notJson(error, request);
  const code: unknown = isError(error) ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? byCode[code]?.(request) : undefined;
}

const byCode: Readonly<Record<string, (request: FastifyRequest) => HttpFault>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ headers, routeOptions }) =>
    bodyTooLarge(routeOptions.bodyLimit, Number(headers['content-length'] ?? NaN)),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ headers }) => wrongMediaType(headers['content-type']),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ({ headers }) =>
    invalid(`The body is not as long as the header Content-Length says: ${headers['content-length']} bytes`),
  FST_ERR_BAD_URL: ({ url }) => badEscape(url),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new HttpFault(404, 'not_found', 'There is nothing under this path: a part of it is longer than 500 characters'),
};

/** The size of the body is known only from its Content-Length. */
export function bodyTooLarge(limitBytes: number, bodyBytes: number): HttpFault {
  const isKnown = Number.isFinite(bodyBytes);
  const [body, limit] = sizes(bodyBytes, limitBytes);
  const message = isKnown
    ? `The body is ${body}; the limit is ${limit}`
    : `The body is larger than the limit, ${limit}`;
  return new HttpFault(413, 'payload_too_large', message, {
    details: {
      limitBytes,
      ...(isKnown && { bodyBytes }),
    },
  });
}

/** Two sizes in kB, or in bytes when they are equal in kB. */
function sizes(body: number, limit: number): [body: string, limit: string] {
  const [one, other] = [body, limit].map((bytes) => `${Math.round(bytes / 102.4) / 10} kB`) as [string, string];
  return one === other ? [`${body} bytes`, `${limit} bytes`] : [one, other];
}

export function wrongMediaType(type = ''): HttpFault {
  const [known] = /^[a-z]+\/[\w.+-]{1,60}(\s*;\s*charset=[\w"-]{1,20})?/i.exec(type) ?? [];
  const sent = known
    ? `sent as ${known}`
    : type === ''
      ? 'sent without a Content-Type'
      : 'sent with another Content-Type';
  const message = `The body is ${sent}: send it as application/json in UTF-8`;
  return new HttpFault(415, 'unsupported_media_type', message);
}

function notJson({ message }: NotJson, { routeOptions: { config } }: FastifyRequest): HttpFault {
  const advice = config.endpoint ? '. Send {} or leave out Content-Type' : '';
  return invalid(`The body ${message}${message.includes('end at position 0)') ? advice : ''}`, [
    { in: 'body', path: '', message },
  ]);
}

/** Names the first `%` of the path without two hexadecimal digits; without one, the escapes are not UTF-8. */
function badEscape(url: string): HttpFault {
  const [path = ''] = url.split('?', 1);
  const position = path.search(/%(?![0-9a-fA-F]{2})/);
  const message =
    position >= 0
      ? `${JSON.stringify(path.slice(position, position + 3))} at position ${position} is not a percent-encoding: write % as %25`
      : 'its percent-encoding is not UTF-8';
  return invalid(`The path is not valid: ${message}`, [{ in: 'path', path: '', message }]);
}
