import { HttpFault, type Platform, type PlatformEnvironment } from '@lensforge/edge';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type Dispatcher, Pool, errors } from 'undici';

const maxBodyBytes = 65_536;
const timeoutMs = 10_000;

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const paths = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/id',
  '/oauth/*',
  '/id',
  '/id/*',
];

/**
 * Forwards sign-in requests unchanged to the OAuth service, with the Host header of the client, so that a client that
 * knows only this address can get a token.
 */
export function forwardToIssuer(http: FastifyInstance, { environment, drain, logger }: Platform): void {
  const { origin, base } = issuerAddress(environment);
  const pool = new Pool(origin, {
    connections: 64,
    keepAliveTimeout: 10_000,
    connectTimeout: 2000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  drain.onExit('issuer', () => pool.destroy());

  const forward = async (request: FastifyRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
    const { method, body, raw } = request;
    const path = base + (raw.url ?? '/');
    try {
      return await pool.request({
        method,
        path,
        headers: requestHeaders(request),
        signal,
        ...(Buffer.isBuffer(body) && { body }),
      });
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, 'the sign-in service did not answer');
      throw toForwardFault(err);
    }
  };

  // A separate Fastify scope, whose bodies are not parsed.
  void http.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, read) =>
      read(null, body),
    );
    for (const url of paths) {
      scope.route({
        method: methods,
        url,
        bodyLimit: maxBodyBytes,
        exposeHeadRoute: false,
        errorHandler: (error, request, reply) => refuse(error, request, reply),
        handler: async (request, reply) => {
          const gone = new AbortController();
          reply.raw.once('close', () => gone.abort());
          const response = await forward(request, gone.signal);
          return reply.code(response.statusCode).headers(responseHeaders(response.headers)).send(response.body);
        },
      });
    }
    done();
  });
}

function issuerAddress({ LENSFORGE_OAUTH_URL }: PlatformEnvironment): { origin: string; base: string } {
  const { origin, pathname } = new URL(LENSFORGE_OAUTH_URL);
  return { origin, base: pathname.replace(/(?<!\/)\/+$/, '') };
}

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

type Headers = Record<string, string | string[]>;

/** Drops hop-by-hop headers and those that the Connection header names (RFC 9110, 7.6.1), except Host. */
function endToEndHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const named = String(headers['connection'] ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase());
  const passed: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopByHop.has(name) && (name === 'host' || !named.includes(name))) passed[name] = value;
  }
  return passed;
}

function requestHeaders({ headers, raw }: FastifyRequest): Headers {
  const { 'content-length': _length, ...passed } = endToEndHeaders(headers);
  const hops = [passed['x-forwarded-for'] ?? [], raw.socket.remoteAddress ?? []].flat();
  return { ...passed, 'x-forwarded-for': hops.join(', ') };
}

const responseHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Headers => {
  const { date: _date, ...passed } = endToEndHeaders(headers);
  return passed;
};

const unreachable = 'The sign-in service cannot be reached; try again in a second';

function toForwardFault(error: unknown): HttpFault {
  const late = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  const absent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT|UND_ERR_DESTROYED)$/;
  const code = String((error as { code?: unknown }).code);
  const status = late || absent.test(code) ? 503 : 502;
  return new HttpFault(status, 'service_unavailable', unreachable, { headers: { 'retry-after': '1' } });
}

/** Answers a browser with text and a client with an OAuth error. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const fault = error instanceof HttpFault ? error : unreadable(error, request);
  reply.code(fault.status).headers(fault.headers);
  if (request.headers.accept?.includes('text/html'))
    void reply.type('text/plain; charset=utf-8').send(`${fault.message}.\n`);
  else {
    const code = fault.status >= 500 ? 'temporarily_unavailable' : 'invalid_request';
    void reply.header('access-control-allow-origin', '*').send({ error: code, error_description: fault.message });
  }
}

function unreadable(error: unknown, { headers }: FastifyRequest): HttpFault {
  if ((error as { statusCode?: unknown }).statusCode !== 413) {
    return new HttpFault(400, 'invalid_request', 'The body of the request could not be read');
  }
  const bytes = Number(headers['content-length']);
  const size = Number.isFinite(bytes) ? `has ${bytes} bytes` : 'is too large';
  return new HttpFault(413, 'payload_too_large', `The body ${size}; the limit is ${maxBodyBytes} bytes`);
}
