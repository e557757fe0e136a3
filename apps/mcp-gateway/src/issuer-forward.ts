import type { PlatformEnvironment } from '@lensforge/edge';
import { HttpFault, type Platform } from '@lensforge/edge';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Dispatcher } from 'undici';
import { Pool, errors } from 'undici';

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
 * The issuer answers here as well, so that whoever knows only this address can get a token: requests go on to the oauth
 * service as they came, under the Host that the client knows.
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

  const ask = async (request: FastifyRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
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
      throw faultOf(err);
    }
  };

  // In a room of its own: bodies are not ours to read.
  void http.register((room, _options, done) => {
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, read) =>
      read(null, body),
    );
    for (const url of paths) {
      room.route({
        method: methods,
        url,
        bodyLimit: maxBodyBytes,
        exposeHeadRoute: false,
        errorHandler: (error, request, reply) => refuse(error, request, reply),
        handler: async (request, reply) => {
          const gone = new AbortController();
          reply.raw.once('close', () => gone.abort());
          const answer = await ask(request, gone.signal);
          return reply.code(answer.statusCode).headers(responseHeaders(answer.headers)).send(answer.body);
        },
      });
    }
    done();
  });
}

function issuerAddress({ LENSFORGE_OAUTH_URL }: PlatformEnvironment): { origin: string; base: string } {
  const { origin, pathname } = new URL(LENSFORGE_OAUTH_URL);
  return { origin, base: pathname.replace(/\/+$/, '') };
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

/** What one connection says of itself, and what that says belongs to it, goes no further (RFC 9110, 7.6.1). */
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

function faultOf(error: unknown): HttpFault {
  const late = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  const absent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT|UND_ERR_DESTROYED)$/;
  const code = String((error as { code?: unknown }).code);
  const status = late || absent.test(code) ? 503 : 502;
  return new HttpFault(status, 'service_unavailable', unreachable, { 'retry-after': '1' });
}

/** A person with a browser is told in words, a client in those of its protocol. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const fault = error instanceof HttpFault ? error : unreadable(error, request);
  reply.code(fault.status).headers(fault.headers);
  if (request.headers.accept?.includes('text/html'))
    void reply.type('text/plain; charset=utf-8').send(`${fault.message}.\n`);
  else {
    const said = fault.status >= 500 ? 'temporarily_unavailable' : 'invalid_request';
    void reply.header('access-control-allow-origin', '*').send({ error: said, error_description: fault.message });
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
