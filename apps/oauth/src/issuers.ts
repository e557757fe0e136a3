import { urlForHost, publicUrl } from '@lensforge/edge';
import type { FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';

type Asked = Pick<FastifyRequest, 'headers'>;

/** The issuer of the tools, at the address that this client uses. */
export const toolsIssuer = (environment: OAuthEnvironment, { headers: { host } }: Asked): string =>
  publicUrl(
    environment.LENSFORGE_PUBLIC_OAUTH_URL ?? environment.LENSFORGE_PUBLIC_MCP_URL,
    host,
    environment.publicHosts,
  );

/** The base URL of the platform's own sign-in, at the address that this client uses. */
export const platformBase = (environment: OAuthEnvironment, request: Asked): string =>
  `${toolsIssuer(environment, request)}/id`;

/** The issuer of the platform's own sign-in, as its metadata, responses and tokens name it. */
export const platformIssuer = (environment: OAuthEnvironment, request: Asked): string =>
  environment.LENSFORGE_ISSUER ?? platformBase(environment, request);

/** The address of the tool-call server, at the host that this client uses. */
export function toolServer(environment: OAuthEnvironment, { headers: { host } }: Asked): string {
  const { LENSFORGE_PUBLIC_MCP_URL: configured, publicHosts } = environment;
  return configured === undefined ? publicUrl(undefined, host, publicHosts) : urlForHost(host, configured);
}
