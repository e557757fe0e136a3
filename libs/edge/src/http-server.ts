import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '@lensforge/core';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { readTrustedProxies } from './caller-address.js';
import type { Drain } from './drain.js';
import { errorEnvelope } from './envelope.js';
import type { Logger } from './logging.js';
import type { Metrics } from './metrics.js';
import { observer } from './observe.js';
import { HttpFault, restFault } from './rest-errors.js';
import { watchRoutes } from './routes.js';

export interface HttpServerOptions {
  logger: Logger;
  metrics: Metrics;
  drain: Drain;
  bodyLimit: number;
  /** As in the environment: whose X-Forwarded-For is believed. */
  trustedProxies?: string;
  /** Behind TLS clients are told to stay there. */
  publicUrl?: string | undefined;
}

/** A Fastify that answers every request in our envelope, whatever it is, and keeps to the limits of a public server. */
export function openHttpServer({
  logger,
  metrics,
  drain,
  bodyLimit,
  trustedProxies = 'loopback',
  publicUrl,
}: HttpServerOptions): FastifyInstance {
  const headers = {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
  const loggerInstance: FastifyBaseLogger = logger;
  const note = observer({ logger, metrics });
  const http = Fastify({
    loggerInstance,
    logController: new Fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newId,
    requestIdHeader: false,
    trustProxy: false,
    bodyLimit,
    requestTimeout: 15_000,
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: { maxParamLength: 500 },
    http: {
      maxHeaderSize: 16_384,
      headersTimeout: 8000,
      requestTimeout: 15_000,
      connectionsCheckingInterval: 1000,
      requireHostHeader: false,
    },
    frameworkErrors: (error, request, reply) => {
      note(request, reply, () => undefined);
      answer(error, request, reply.headers(headers).header('x-request-id', request.id));
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return;
      socket.end(rawRefusal(error.code));
    },
  });
  http.decorate('trustedProxies', readTrustedProxies(trustedProxies) ?? { trusts: () => false });
  http.server.maxConnections = 10_000;
  http.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    http.server.emit('request', request, response),
  );

  http.addHook('onRequest', note);
  const refuseUnknownRoute = watchRoutes(http);
  http.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    if (drain.draining) reply.header('connection', 'close');
    if (request.is404) done(refuseUnknownRoute(request));
    else if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      done(unreadable('has no Host header'));
    else done();
  });

  acceptOnlyJson(http);
  http.setErrorHandler((error, request, reply) => answer(error, request, reply));
  http.setNotFoundHandler((request, reply) => answer(refuseUnknownRoute(request), request, reply));
  return http;
}

const unreadable = (why: string): HttpFault => new HttpFault(400, 'invalid_request', `The request ${why}`);

/** Whatever was thrown, as an answer; only what nobody foresaw is logged with its stack. */
function answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const fault = restFault(error);
  if (fault.status >= 500) request.log[fault.status === 503 ? 'warn' : 'error']({ err: error }, 'request failed');
  const body =
    request.routeOptions.config.refusal?.(fault) ?? errorEnvelope(fault, request.id, Math.round(reply.elapsedTime));
  reply.code(fault.status).headers(fault.headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** JSON in UTF-8 is the only thing taken in, uncompressed and without members that reach for a prototype. */
function acceptOnlyJson(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error');
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
    if (
      (encoding !== undefined && encoding !== 'identity') ||
      !/^[^;]+(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i.test(type)
    ) {
      done(new HttpFault(415, 'unsupported_media_type', 'The body must be plain application/json in UTF-8'));
    } else if (request.routeOptions.config.endpoint?.rawBody) {
      done(null, body);
    } else {
      readJson(parse, request, body, done);
    }
  });
}

type Parse = ReturnType<FastifyInstance['getDefaultJsonParser']>;
type Done = (error: Error | null, value?: unknown) => void;

function readJson(parse: Parse, request: FastifyRequest, body: Buffer, done: Done): void {
  if (isUtf8(body)) void parse(request, body.toString('utf8'), done);
  else done(unreadable('has a body that is not UTF-8'));
}

/** What Fastify has read of a request whose endpoint wants it raw. */
export const rawBodyOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** The JSON of a raw body, by the rules for all others; it rejects with the refusal. */
export const jsonOfRawBody = (request: FastifyRequest): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const parse = request.server.getDefaultJsonParser('error', 'error');
    readJson(parse, request, rawBodyOf(request), (error, value) => (error ? reject(error) : resolve(value)));
  });

const refusals: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are larger than this service accepts'],
};

/** For what breaks before there is a request: written to the socket as it is. */
function rawRefusal(code: string): string {
  const [status, message] = refusals[code] ?? [400, 'This is not a readable HTTP request'];
  const requestId = newId();
  const body = JSON.stringify(errorEnvelope(new HttpFault(status, 'invalid_request', message), requestId, 0));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    `x-request-id: ${requestId}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
