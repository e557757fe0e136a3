import { publicUrl } from '@lensforge/edge';
import type { FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';

type Asked = Pick<FastifyRequest, 'headers'>;

/** The tools' issuer, as the place where this client knows it. */
export const toolsIssuer = (environment: OAuthEnvironment, { headers: { host } }: Asked): string =>
  publicUrl(
    environment.LENSFORGE_PUBLIC_OAUTH_URL ?? environment.LENSFORGE_PUBLIC_MCP_URL,
    host,
    environment.publicHosts,
  );

/** The issuer of the platform's own sign-in, likewise. */
export const platformIssuer = (environment: OAuthEnvironment, request: Asked): string =>
  `${toolsIssuer(environment, request)}/id`;
