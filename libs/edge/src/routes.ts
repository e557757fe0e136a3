import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpFault } from './rest-errors.js';

/** Remembers every route, so that a wrong method can be told from a wrong path. */
export function watchRoutes(http: FastifyInstance): (request: FastifyRequest) => HttpFault {
  const routes = new Map<string, { matches: RegExp; methods: Set<string> }>();

  http.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { matches: pattern(url), methods: new Set<string>() };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });

  return ({ method, url }) => {
    const path = url.split('?', 1)[0] ?? '';
    const allowed = [...routes.values()]
      .filter(({ matches }) => matches.test(path))
      .flatMap(({ methods }) => [...methods]);
    if (allowed.length === 0) return new HttpFault(404, 'not_found', 'There is no such path here');
    const allow = [...new Set(allowed)].sort().join(', ');
    return new HttpFault(405, 'method_not_allowed', `${method} is not possible here; ${allow} is`, { allow });
  };
}

const pattern = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*/g, '.*')}/?$`,
  );
