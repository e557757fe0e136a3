import { isUtf8 } from 'node:buffer';
import { HttpFault } from '@lensforge/edge';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Parameters } from './pages/parameters.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is application/x-www-form-urlencoded and becomes `Parameters`. */
    form?: boolean;
  }
}

const maxBytes = 65_536;

/** Parses forms on routes with `form`; all other routes accept only JSON. */
export function acceptForms(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    if (route.config?.form === true) route.bodyLimit = maxBytes;
  });
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: maxBytes },
    (request, body: Buffer, done) => {
      const { 'content-encoding': encoding } = request.headers;
      if (request.routeOptions.config.form !== true)
        done(new HttpFault(415, 'unsupported_media_type', 'The body must be sent as application/json in UTF-8'));
      else if (encoding !== undefined && encoding !== 'identity') done(notForm('The form must be sent uncompressed'));
      else if (!isUtf8(body)) done(notForm('The form must be encoded in UTF-8'));
      else done(null, new Parameters(new URLSearchParams(body.toString('utf8'))));
    },
  );
  http.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (request, _body, done) => {
    if (request.routeOptions.config.form === true) done(notForm());
    else done(new HttpFault(415, 'unsupported_media_type', 'The body must be sent as application/json in UTF-8'));
  });
}

/** The form of a request; refuses repeated parameters. */
export function readForm({ body }: FastifyRequest): Parameters {
  if (!(body instanceof Parameters)) throw notForm();
  const doubled = body.anyDoubled;
  if (doubled !== undefined) throw notForm(repeatedParameter(doubled));
  return body;
}

/** Names the parameter only if it looks like one of the protocol, so that no input is echoed. */
export const repeatedParameter = (name: string): string =>
  `${/^[a-z_]{1,40}$/.test(name) ? name : 'A parameter'} was sent more than once: send it once`;

// RFC 6749 allows only status 400 for this error.
const notForm = (message = 'The body must be sent as application/x-www-form-urlencoded'): HttpFault =>
  new HttpFault(400, 'invalid_request', message);
