import {
  type Platform,
  type PlatformEnvironment,
  protectedResource,
  protectedResourcePaths,
  publicUrl,
} from '@lensforge/edge';
import type { FastifyInstance } from 'fastify';

const paths = Object.keys(protectedResourcePaths) as (keyof typeof protectedResourcePaths)[];

/** Serves the protected resource metadata (RFC 9728) to clients of every origin. */
export function serveProtectedResource(http: FastifyInstance, { environment }: Platform): void {
  for (const path of paths) {
    http.get(path, ({ headers: { host } }, reply) => {
      reply.header('access-control-allow-origin', '*');
      return protectedResource(path, listBases(environment, host));
    });
    http.options(path, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, HEAD, OPTIONS',
          'access-control-allow-headers': 'Authorization, *',
          'access-control-max-age': '7200',
        })
        .send(),
    );
  }
}

function listBases(
  { LENSFORGE_PUBLIC_MCP_URL: mcp, LENSFORGE_PUBLIC_OAUTH_URL: oauth, publicHosts }: PlatformEnvironment,
  host: string | undefined,
): { resourceBase: string; issuer: string } {
  return { resourceBase: publicUrl(mcp, host, publicHosts), issuer: publicUrl(oauth ?? mcp, host, publicHosts) };
}
