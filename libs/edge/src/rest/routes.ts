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

  const matching = (path: string): { shown: string; methods: string[] } | undefined => {
    const found = [...routes].filter(([, { matches }]) => matches.test(path));
    const [first] = found;
    const methods = [...new Set(found.flatMap(([, { methods }]) => [...methods]))].sort();
    return first && { shown: named(first[0]), methods };
  };

  return {
    refusal: ({ method, url }) => {
      const path = url.split('?', 1)[0] ?? '';
      const there = matching(path);
      if (there) {
        const message = `${method} is not possible on ${there.shown}; use ${orList(there.methods)}`;
        return new HttpFault(405, 'method_not_allowed', message, { allow: there.methods.join(', ') });
      }
      const meant = matching(tidied(path))?.shown;
      const message =
        meant === undefined
          ? 'There is no such path; the API reference lists all paths'
          : `There is no path ${inWordsOf(meant, path)}; did you mean ${meant}?`;
      return new HttpFault(404, 'not_found', message);
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

/** A route with the names of its parameters, as `/v1/runs/{runId}`. */
const named = (url: string): string => url.replace(/:(\w+)/g, '{$1}').replace(/\*/g, '…');

/** A path as it was sent, but for the values of its parameters: a refusal repeats nothing that may be a secret. */
function inWordsOf(meant: string, path: string): string {
  const parts = meant.split('/').filter((part) => part !== '');
  return path.replace(/[^/]+/g, (given) => {
    const part = parts.shift() ?? '';
    return part.toLowerCase() === given.toLowerCase() ? given : part;
  });
}

const orList = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join('');

const pattern = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*/g, '.*')}$`,
  );
