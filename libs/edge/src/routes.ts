import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpFault } from './rest-errors.js';

interface Route {
  readonly matches: RegExp;
  readonly methods: Set<string>;
}

export interface KnownRoutes {
  /** Why a request found no route: no such path, or no such method there. */
  refusal(request: Pick<FastifyRequest, 'method' | 'url'>): HttpFault;
  /** Whether the service serves anything under /v1, where nothing is said to callers without a credential. */
  hasVersioned(): boolean;
}

/** Remembers every route, so that a wrong method can be told from a wrong path. */
export function watchRoutes(http: FastifyInstance): KnownRoutes {
  const routes = new Map<string, Route>();

  http.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { matches: pattern(url), methods: new Set<string>() };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });

  const methodsOf = (path: string): string[] => {
    const found = [...routes.values()].filter(({ matches }) => matches.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };

  return {
    refusal: ({ method, url }) => {
      const path = url.split('?', 1)[0] ?? '';
      const allowed = methodsOf(path);
      if (allowed.length > 0) {
        const message = `${method} is not possible on ${shown(path)}; use ${orList(allowed)}`;
        return new HttpFault(405, 'method_not_allowed', message, { allow: allowed.join(', ') });
      }
      const meant = tidied(path);
      const isKnown = meant !== path && methodsOf(meant).length > 0;
      const question = isKnown ? `; did you mean ${shown(meant)}?` : '; the API reference lists all paths';
      return new HttpFault(404, 'not_found', `There is no path ${shown(path)}${question}`);
    },
    hasVersioned: () => [...routes.keys()].some((url) => isVersioned(url)),
  };
}

export const isVersioned = (url: string): boolean => /^\/v1([/?]|$)/.test(url);

/** Without slashes at its end, doubled ones and capitals before the first id. */
const tidied = (path: string): string => {
  const single = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
  return single.replace(/^\/V1(?=\/)/, '/v1');
};

const shown = (path: string): string => (path.length > 200 ? `${path.slice(0, 200)}…` : path);

const orList = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join('');

const pattern = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*/g, '.*')}$`,
  );
