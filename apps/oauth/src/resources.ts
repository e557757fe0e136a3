import { publicUrl } from '@lensforge/edge';
import { type SessionAudience, oauthError } from '@lensforge/identity';
import type { FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';
import { toolServer, toolsIssuer } from './issuers.js';

type Asked = Pick<FastifyRequest, 'headers'>;

/** The addresses of the tool-call server that clients may use; one is often that of this service. */
function toolServers(environment: OAuthEnvironment, request: Asked): string[] {
  const { LENSFORGE_PUBLIC_MCP_URL: mcp, publicHosts } = environment;
  return [
    toolsIssuer(environment, request),
    toolServer(environment, request),
    publicUrl(mcp, request.headers.host, publicHosts),
    publicUrl(mcp, undefined),
  ];
}

/** The normalised resource of a token of the tools' issuer: only the tool-call server (RFC 8707). */
export function toolResource(
  environment: OAuthEnvironment,
  request: Asked,
  asked: string | undefined,
): string | undefined {
  if (asked === undefined) return undefined;
  const base = toolServers(environment, request).find((server) => isToolServer(asked, server));
  if (base === undefined) {
    throw oauthError('invalid_target', `resource must be ${toolServer(environment, request)}/mcp`);
  }
  return `${base}/mcp`;
}

const isToolServer = (asked: string, base: string): boolean =>
  ['', '/', '/mcp', '/mcp/'].some((path) => asked === base + path);

/** The audience of a session token; undefined, for all services, without a resource. */
export function sessionAudience(
  environment: OAuthEnvironment,
  request: Asked,
  asked: string | undefined,
): readonly [SessionAudience] | undefined {
  if (asked === undefined) return undefined;
  const { LENSFORGE_PUBLIC_API_URL: api } = environment;
  const known = api?.replace(/(?<!\/)\/+$/, '');
  if (asked === 'lensforge:api' || (known !== undefined && (asked === known || asked === `${known}/`))) {
    return ['lensforge:api'];
  }
  if (asked === 'lensforge:mcp' || toolServers(environment, request).some((base) => isToolServer(asked, base))) {
    return ['lensforge:mcp'];
  }
  throw oauthError('invalid_target', 'resource must be the address of the REST API or of the tool-call server');
}
