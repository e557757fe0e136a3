import { HttpFault, limitResponseTime } from '@lensforge/edge';
import type { FastifyInstance } from 'fastify';
import { oauthRefusal } from './oauth-errors.js';

/** Endpoints for clients in web pages of any origin: none of them reads cookies. */
const open: Readonly<Record<string, 'GET' | 'POST'>> = {
  '/.well-known/oauth-authorization-server': 'GET',
  '/.well-known/oauth-authorization-server/id': 'GET',
  '/.well-known/oauth-protected-resource': 'GET',
  '/.well-known/oauth-protected-resource/mcp': 'GET',
  '/oauth/register': 'POST',
  '/oauth/token': 'POST',
  '/oauth/revoke': 'POST',
  '/id/jwks.json': 'GET',
  '/id/token': 'POST',
  '/id/device_authorization': 'POST',
  '/id/revoke': 'POST',
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** CORS headers and preflights for the endpoints of the protocol, and OAuth errors for other methods. */
export function openToOrigins(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, done) => {
    if (!Object.hasOwn(open, request.routeOptions.url ?? '')) return done();
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-expose-headers', 'Retry-After, WWW-Authenticate');
    limitResponseTime(request, reply, done);
  });
  for (const [url, method] of Object.entries(open)) {
    const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
    http.options(url, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': allow,
          'access-control-allow-headers': 'Authorization, *',
          'access-control-max-age': '7200',
        })
        .send(),
    );
    http.route({
      url,
      method: methods.filter((each) => !allow.includes(each)),
      config: { refusal: oauthRefusal },
      // Before the body is parsed: the method is wrong with any body.
      onRequest: (request) => {
        throw new HttpFault(405, 'method_not_allowed', `${request.method} is not supported at ${url}: use ${method}`, {
          headers: {
            allow,
          },
        });
      },
      handler: () => undefined,
    });
  }
}
