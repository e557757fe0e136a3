import { findNearest } from '@lensforge/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpFault } from './rest-errors.js';

interface Route {
  readonly matches: RegExp;
  readonly methods: Set<string>;
}

export interface KnownRoutes {
  /** The error for a request without a route: an unknown path, or a method that the path does not have. */
  refusal(request: Pick<FastifyRequest, 'method' | 'url'>): HttpFault;
  /** True when the service has a route under /v1. */
  hasVersioned(): boolean;
}

/** Records all routes, to distinguish an unknown method from an unknown path. */
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
    return first && { shown: display(first[0]), methods };
  };

  return {
    refusal: ({ method, url }) => {
      const path = url.split('?', 1)[0] ?? '';
      const known = matching(path);
      if (known) {
        const message = `${method} is not possible on ${known.shown}; use ${orList(known.methods)}`;
        return new HttpFault(405, 'method_not_allowed', message, { headers: { allow: known.methods.join(', ') } });
      }
      const same = matching(normalised(path))?.shown;
      const nearest = same ?? findSimilar([...routes.keys()], path);
      const what = same === undefined ? 'such path' : `path ${withoutValues(same, path)}`;
      const hint = nearest === undefined ? 'the API reference lists all paths' : `did you mean ${nearest}?`;
      return new HttpFault(404, 'not_found', `There is no ${what}; ${hint}`);
    },
    hasVersioned: () => [...routes.keys()].some((url) => isVersioned(url)),
  };
}

export const isVersioned = (url: string): boolean => /^\/v1([/?]|$)/.test(url);

/** Removes repeated and trailing slashes, and lowers /V1. */
const normalised = (path: string): string => {
  const single = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
  return single.replace(/^\/V1(?=\/)/, '/v1');
};

/** The route with as many parts as a path, of which those without values are alike; undefined without one. */
function findSimilar(urls: readonly string[], path: string): string | undefined {
  const parts = normalised(path).split('/');
  const isAlike = (name: string, part: string): boolean =>
    name.startsWith(':') ? part !== '' : name === part || findNearest(part, [name]) !== undefined;
  const found = urls.find((url) => {
    const names = url.split('/');
    return names.length === parts.length && names.every((name, at) => isAlike(name, parts[at] ?? ''));
  });
  return found && display(found);
}

/** Shows a route with the names of its parameters, such as `/v1/runs/{runId}`. */
const display = (url: string): string => url.replace(/:(\w+)/g, '{$1}').replace(/\*/g, '…');

/** The path of a request without the values of its parameters, which may be secrets. */
function withoutValues(route: string, path: string): string {
  const parts = route.split('/').filter((part) => part !== '');
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
