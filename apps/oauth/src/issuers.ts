import { urlForHost, publicUrl } from '@lensforge/edge';
import type { FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';

type Asked = Pick<FastifyRequest, 'headers'>;

/** The tools' issuer, by the address under which this client knows it. */
export const toolsIssuer = (environment: OAuthEnvironment, { headers: { host } }: Asked): string =>
  publicUrl(
    environment.LENSFORGE_PUBLIC_OAUTH_URL ?? environment.LENSFORGE_PUBLIC_MCP_URL,
    host,
    environment.publicHosts,
  );

/** The address of the pages and endpoints of the platform's own sign-in, likewise. */
export const platformBase = (environment: OAuthEnvironment, request: Asked): string =>
  `${toolsIssuer(environment, request)}/id`;

/** The issuer of the platform's own sign-in: what its metadata, its answers and its tokens name alike. */
export const platformIssuer = (environment: OAuthEnvironment, request: Asked): string =>
  environment.LENSFORGE_ISSUER ?? platformBase(environment, request);

/** The address of the tool-call server, which is another one than that of this service. */
export function toolServer(environment: OAuthEnvironment, { headers: { host } }: Asked): string {
  const { LENSFORGE_PUBLIC_MCP_URL: configured, publicHosts } = environment;
  return configured === undefined ? publicUrl(undefined, host, publicHosts) : urlForHost(host, configured);
}
