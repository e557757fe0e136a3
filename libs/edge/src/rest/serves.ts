import { type Endpoint, InvalidInput, type RequestIssue, type Shape, listFields, parse } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import {
  type ExecutionContext,
  HttpCode,
  RequestMapping,
  RequestMethod,
  applyDecorators,
  createParamDecorator,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { CredentialOf, CredentialRule } from '../auth/authorise.js';

/** Makes a controller's method serve a row of the endpoint table: path, status, credential, scopes and rate. */
export const Serves = (endpoint: Endpoint, { credentialOf }: { credentialOf?: CredentialOf } = {}): MethodDecorator =>
  applyDecorators(
    RequestMapping({
      method: RequestMethod[endpoint.method],
      path: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    }),
    HttpCode(endpoint.status),
    RouteConfig({ endpoint, ...(credentialOf && { credentialOf }) }),
  );

/** Requires a credential on a route that is no row of the endpoint table. */
export const NeedsCredential = (rule: CredentialRule = {}, more: RouteBehaviorOptions = {}): MethodDecorator =>
  RouteConfig({ credential: rule, ...more });

export type RouteBehaviorOptions = Pick<FastifyContextConfig, 'refusal' | 'waitsMs' | 'credentialOf'>;

type Part<E extends Endpoint, K extends 'params' | 'query' | 'body'> =
  E extends Readonly<Record<K, Shape<infer T>>> ? Readonly<Record<K, T>> : unknown;

/** The validated input of an endpoint, such as `InputOf<typeof endpoints.executeLens>`. */
export type InputOf<E extends Endpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>;

/** The validated path parameters, query and body of the row that the method serves. */
export const Input = createParamDecorator((_data: unknown, host: ExecutionContext) =>
  readInput(host.switchToHttp().getRequest<FastifyRequest>()),
);

/** The context of the request, which use cases take as `ctx`. */
export const Caller = createParamDecorator((_data: unknown, host: ExecutionContext): Context => {
  const { caller } = host.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('@Caller() is used in a method whose endpoint needs no credential');
  return caller;
});

type InputPart = 'path' | 'query' | 'body';

export function readInput(request: FastifyRequest): Record<string, object> {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint) throw new Error('@Input() is used in a method without @Serves()');
  const input: Record<string, object> = {};
  const issues: RequestIssue[] = [];
  const read = (name: string, part: InputPart, shape: Shape | undefined, value: unknown): void => {
    if (!shape) return;
    try {
      const members = part === 'body' ? endpoint.largeBody?.members : undefined;
      input[name] = parse(shape, value, { fromText: part !== 'body', members });
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      if (part === 'path') throwNotFound(shape, error);
      issues.push(...error.issues.map((issue) => ({ ...issue, in: part })));
    }
  };
  read('params', 'path', endpoint.params, request.params);
  read('query', 'query', endpoint.query, request.query);
  read('body', 'body', endpoint.body, request.body === undefined ? {} : request.body);
  if (issues.length > 0) throw new InvalidInput(issues);
  return input;
}

/** Throws NOT_FOUND for a malformed id when its field has `idOf`. The message omits the value, which may be a secret. */
function throwNotFound(shape: Shape, { issues }: InvalidInput): void {
  for (const { path } of issues) {
    const { idOf } = listFields(shape).get(path) ?? {};
    if (idOf !== undefined) throw new DomainError('NOT_FOUND', `There is no ${idOf} with this id: an id is a UUID`);
  }
}
