import { isUtf8 } from 'node:buffer';
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import { newId } from '@lensforge/core';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { readTrustedProxies } from '../auth/caller-address.js';
import type { Drain } from '../boot/drain.js';
import { compressJson } from './compress-json.js';
import { errorEnvelope } from './envelope.js';
import { isInUtf8 } from './header-values.js';
import type { Logger } from '../observability/logging.js';
import type { Metrics } from '../observability/metrics.js';
import { observer } from '../observability/observe.js';
import { parseJson } from './json-text.js';
import { toHttpFault, wrongMediaType } from './request-faults.js';
import { HttpFault, invalid } from './rest-errors.js';
import { isVersioned, watchRoutes } from './routes.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Throws for a request without a valid credential; absent in a service without credentials. */
    authenticate?: (request: FastifyRequest) => Promise<unknown>;
    /** The path of the page that describes the codes of errors; absent in a service without pages. */
    errorPage?: string;
  }
}

export interface HttpServerOptions {
  logger: Logger;
  metrics: Metrics;
  drain: Drain;
  bodyLimit: number;
  /** Proxies whose X-Forwarded-For is trusted, as in LENSFORGE_TRUSTED_PROXIES. */
  trustedProxies?: string;
  /** The share of successful requests that is logged, as in LOG_SUCCESS_PERCENT. */
  successPercent?: number;
  /** An https URL adds Strict-Transport-Security. */
  publicUrl?: string | undefined;
}

/** Opens a Fastify server with the limits of a public server, which sends every error in the envelope. */
export function openHttpServer({
  logger,
  metrics,
  drain,
  bodyLimit,
  trustedProxies = 'loopback',
  successPercent = 100,
  publicUrl,
}: HttpServerOptions): FastifyInstance {
  const headers = {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
  const loggerInstance: FastifyBaseLogger = logger;
  const onRequest = observer({ logger, metrics, successPercent });
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
      onRequest(request, reply, () => undefined);
      reply.headers(headers).header('x-request-id', request.id);
      void faultFor(error, request).then((fault) => sendError(fault, request, reply));
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return;
      socket.end(rawErrorResponse(error.code));
    },
  });
  http.decorate('trustedProxies', readTrustedProxies(trustedProxies) ?? { trusts: () => false });
  http.server.maxConnections = 10_000;
  http.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    http.server.emit('request', request, response),
  );

  http.addHook('onRequest', onRequest);
  const routes = watchRoutes(http);
  /** Under /v1 a caller without a credential gets 401 for every path, so that it learns nothing about the routes. */
  const faultFor = async (fault: unknown, request: FastifyRequest): Promise<unknown> => {
    if (!isVersioned(request.url) || !routes.hasVersioned()) return fault;
    return http.authenticate?.(request).then(
      () => fault,
      (refusal: unknown) => refusal,
    );
  };
  http.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    if (drain.draining) reply.header('connection', 'close');
    if (request.is404) void faultFor(routes.refusal(request), request).then((fault) => done(fault as Error));
    else if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      done(invalid('The request has no Host header, which HTTP/1.1 requires'));
    else done();
  });

  acceptOnlyJson(http);
  http.addHook('onSend', compressJson);
  http.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  http.setNotFoundHandler((request, reply) => sendError(routes.refusal(request), request, reply));
  return http;
}

/** Sends an error; those with a 5xx status are logged. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const fault = toHttpFault(error, request);
  if (fault.status >= 500) request.log[fault.status === 503 ? 'warn' : 'error']({ err: error }, 'request failed');
  const { errorPage } = request.server;
  if (errorPage !== undefined) reply.header('link', `<${errorPage}#${fault.code}>; rel="help"`);
  const body =
    request.routeOptions.config.refusal?.(fault) ?? errorEnvelope(fault, request.id, Math.round(reply.elapsedTime));
  reply.code(fault.status).headers(fault.headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** Accepts only uncompressed JSON in UTF-8 as a body. */
function acceptOnlyJson(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
    const { endpoint } = request.routeOptions.config;
    if (encoding !== undefined && encoding !== 'identity') {
      done(wrongEncoding());
    } else if (!isInUtf8(type)) {
      done(wrongMediaType(type));
    } else if (endpoint?.rawBody) {
      done(null, body);
    } else if (body.length === 0 && endpoint && !endpoint.body) {
      done(null);
    } else {
      try {
        done(null, readJson(body));
      } catch (error) {
        done(error as Error);
      }
    }
  });
}

const wrongEncoding = (): HttpFault =>
  new HttpFault(415, 'unsupported_media_type', 'The body has a Content-Encoding: send it uncompressed');

function readJson(body: Buffer): unknown {
  if (!isUtf8(body)) {
    const message = 'is not UTF-8';
    throw invalid(`The body ${message}: encode it as UTF-8`, [{ in: 'body', path: '', message }]);
  }
  return parseJson(body.toString('utf8'));
}

/** The bytes of a body, for an endpoint with `rawBody`. */
export const getRawBody = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** Parses a raw body as JSON; throws as for every other body. */
export const jsonOfRawBody = (request: FastifyRequest): unknown => readJson(getRawBody(request));

const connectionErrors: Readonly<Record<string, readonly [status: 408 | 431, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive within 15 seconds'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are larger than the limit, 16 kB'],
};

/** The response to bytes that are no HTTP request, written to the socket directly. */
function rawErrorResponse(code: string): string {
  const [status, message] = connectionErrors[code] ?? [400, 'This is not a valid HTTP request'];
  const requestId = newId();
  const body = JSON.stringify(errorEnvelope(invalid(message, undefined, status), requestId, 0));
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
