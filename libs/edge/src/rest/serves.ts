import type { Endpoint, RequestIssue, Shape } from '@lensforge/contracts';
import { InvalidInput, fieldsOf, parse } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import type { ExecutionContext } from '@nestjs/common';
import { HttpCode, RequestMapping, RequestMethod, applyDecorators, createParamDecorator } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Admission, CredentialOf, Prefetch } from '../auth/caller.js';

/** Makes a controller's method serve a row of the endpoint table: its path, status, credential, scopes and rate. */
export const Serves = (
  endpoint: Endpoint,
  { foresee, credentialOf }: { foresee?: Prefetch; credentialOf?: CredentialOf } = {},
): MethodDecorator =>
  applyDecorators(
    RequestMapping({
      method: RequestMethod[endpoint.method],
      path: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    }),
    HttpCode(endpoint.status),
    RouteConfig({ endpoint, ...(foresee && { foresee }), ...(credentialOf && { credentialOf }) }),
  );

/** What the `foresee` of the method's route has begun to read, as a function: Nest awaits a promise and throws its fault. */
export const Prefetched = createParamDecorator((_data: unknown, host: ExecutionContext) => {
  const { foreseen } = host.switchToHttp().getRequest<FastifyRequest>();
  return () => foreseen;
});

/** Asks for a credential on a route that is no row of the endpoint table. */
export const NeedsCredential = (admission: Admission = {}, more: RouteBehaviorOptions = {}): MethodDecorator =>
  RouteConfig({ credential: admission, ...more });

export type RouteBehaviorOptions = Pick<FastifyContextConfig, 'refusal'>;

type Part<E extends Endpoint, K extends 'params' | 'query' | 'body'> =
  E extends Readonly<Record<K, Shape<infer T>>> ? Readonly<Record<K, T>> : unknown;

/** What a request to an endpoint brings, after the gate: `InputOf<typeof endpoints.executeLens>`. */
export type InputOf<E extends Endpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>;

/** The checked path parameters, query and body of the row that the method serves. */
export const Input = createParamDecorator((_data: unknown, host: ExecutionContext) =>
  readInput(host.switchToHttp().getRequest<FastifyRequest>()),
);

/** Who asks, as the use cases want it: the `ctx` that they are given first. */
export const Caller = createParamDecorator((_data: unknown, host: ExecutionContext): Context => {
  const { caller } = host.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('@Caller() stands on a method whose endpoint asks for no credential');
  return caller;
});

type Place = 'path' | 'query' | 'body';

export function readInput(request: FastifyRequest): Record<string, object> {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint) throw new Error('@Input() stands on a method without @Serves()');
  const input: Record<string, object> = {};
  const issues: RequestIssue[] = [];
  const read = (name: string, place: Place, shape: Shape | undefined, value: unknown): void => {
    if (!shape) return;
    try {
      const members = place === 'body' ? endpoint.largeBody?.members : undefined;
      input[name] = parse(shape, value, { fromText: place !== 'body', members });
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      if (place === 'path') throwNotFound(shape, error);
      issues.push(...error.issues.map((issue) => ({ ...issue, in: place })));
    }
  };
  read('params', 'path', endpoint.params, request.params);
  read('query', 'query', endpoint.query, request.query);
  read('body', 'body', endpoint.body, request.body === undefined ? {} : request.body);
  if (issues.length > 0) throw new InvalidInput(issues);
  return input;
}

/** A value that cannot be the id of a thing names none, where the field says what it names. It is not repeated: it may be a secret. */
function throwNotFound(shape: Shape, { issues }: InvalidInput): void {
  for (const { path } of issues) {
    const { names } = fieldsOf(shape).get(path) ?? {};
    if (names !== undefined) throw new DomainError('NOT_FOUND', `There is no ${names} with this id: an id is a UUID`);
  }
}
