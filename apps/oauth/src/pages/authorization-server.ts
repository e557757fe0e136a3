import { DomainError } from '@lensforge/core';
import type { FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from '../environment.js';
import { platformIssuer, toolsIssuer } from '../issuers.js';
import { sessionAudience, toolResource } from '../resources.js';
import type { AuthorizationServer } from './authorize-request.js';

/** The issuer of a request, at the address that its client uses. */
export function authorizationServer(environment: OAuthEnvironment, request: FastifyRequest): AuthorizationServer {
  if (request.routeOptions.url === '/oauth/authorize') {
    return {
      kind: 'tools',
      issuer: toolsIssuer(environment, request),
      path: '/oauth/authorize',
      resourceOf: (asked) => orNone(() => toolResource(environment, request, asked)),
      allowedSchemes: environment.allowedSchemes,
    };
  }
  return {
    kind: 'platform',
    issuer: platformIssuer(environment, request),
    path: '/id/authorize',
    resourceOf: (asked) => orNone(() => sessionAudience(environment, request, asked) && asked),
    allowedSchemes: environment.allowedSchemes,
  };
}

function orNone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
