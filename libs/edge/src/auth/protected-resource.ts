/** The documents by which a client that was refused learns where tokens come from (RFC 9728), by their paths. */
export const protectedResourcePaths = {
  '/.well-known/oauth-protected-resource': '',
  '/.well-known/oauth-protected-resource/mcp': '/mcp',
} as const;

/** Scopes are left out: clients would ask for every one that is listed. */
export const protectedResource = (
  path: keyof typeof protectedResourcePaths,
  { resourceBase, issuer }: { resourceBase: string; issuer: string },
): object => ({
  resource: resourceBase + protectedResourcePaths[path],
  authorization_servers: [issuer],
  bearer_methods_supported: ['header'],
  resource_name: 'Lensforge tools',
});
